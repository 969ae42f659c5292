// What runs the requests of a model: streams, or batches of stateless requests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bindings/triton/gauges.hpp"
#include "bindings/triton/loaded_model.hpp"
#include "bindings/triton/model_config.hpp"
#include "bindings/triton/triton_api.hpp"

namespace rondo::triton {

/// A model as the server has it: all that its instance needs.
struct ServedModel {
    std::string name;
    std::string version;
    Settings settings;
    LoadedModel loaded;
    ConfiguredPorts ports;
    std::size_t max_batch_size = 0;
    const GaugeFamilies* gauges = nullptr;  ///< the backend's
};

/// One at a time calls execute(). Its destructor waits for the requests that it has.
class Instance {
public:
    virtual ~Instance() = default;
    /// Takes the requests over: each is answered and released, now or later.
    virtual void execute(TRITONBACKEND_Request** requests, std::uint32_t count) noexcept = 0;
};

/// `model` must outlive the instance.
std::unique_ptr<Instance> make_stream_instance(TRITONBACKEND_ModelInstance* instance,
                                               ServedModel& model);
std::unique_ptr<Instance> make_batch_instance(TRITONBACKEND_ModelInstance* instance,
                                              ServedModel& model);

}  // namespace rondo::triton
