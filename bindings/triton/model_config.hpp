// A model's configuration: completing it from the model, and checking it against the model.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bindings/triton/loaded_model.hpp"
#include "bindings/triton/triton_api.hpp"

namespace rondo::triton {

using Json = nlohmann::json;

/// One input or output as the configuration has it.
struct ConfiguredPort {
    std::string name;
    std::size_t index = 0;  ///< among the model's
    TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
    /// Requests have a batch axis in front that the model's port hasn't: its extent is 1.
    bool has_extra_axis = false;
};

struct ConfiguredPorts {
    std::vector<ConfiguredPort> inputs;
    std::vector<ConfiguredPort> outputs;

    /// Nothing if there is none of that name.
    const ConfiguredPort* find_input(const std::string& name) const;
    const ConfiguredPort* find_output(const std::string& name) const;
};

/// Fills in the inputs and outputs if none are listed, and then `max_batch_size` with `max_batch`
/// if rows are independent. Stateless models whose requests can be joined get `dynamic_batching`,
/// unless there is a scheduler. Throws UnsupportedError for ports that the server can't have.
void complete_config(Json& config, const LoadedModel& model, std::size_t max_batch);

/// Throws ModelError that names the entry if the configuration and the model differ, and
/// UnsupportedError for `sequence_batching.state` and a batch that the model hasn't.
ConfiguredPorts check_config(const Json& config, const LoadedModel& model);

}  // namespace rondo::triton
