// What a model's config.pbtxt may set under `parameters`.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "rondo/core.hpp"
#include "rondo/properties.hpp"
#include "rondo/stream_pool.hpp"

namespace rondo::triton {

struct Settings {
    Settings() { pool.idle_timeout = std::chrono::minutes(1); }

    // What `rondo compile` has under the same names.
    std::string stateful;             ///< "auto", pairs such as "h:hn,c:cn", or empty: none
    std::string streaming;            ///< "auto", axes such as "x:1", or empty: none
    std::string batch = "auto";       ///< "?", "auto": if the model keeps states, or empty: none
    bool has_new_batch_axis = false;  ///< batch_axis: ?

    StreamPoolOptions pool;
    StreamOptions stream;          ///< of requests that ask for nothing else
    bool opens_on_demand = false;  ///< an unknown sequence needs no START
    Properties properties;         ///< of the device
};

/// Reads the `parameters` of a model's configuration. Throws ModelError that names the parameter,
/// and lists the known ones if there is none of that name.
Settings read_settings(const nlohmann::json& config, const Core& core);

}  // namespace rondo::triton
