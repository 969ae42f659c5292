// Tables of functions as onnxruntime's, made by the tests.
#pragma once

#include <string>

#include "tests/unit/bindings/onnxruntime/stub/host_types.hpp"

namespace rondo::ort {

/// Fails a call: the name of a function of OrtApi whose next calls return a status.
struct HostFaults {
    std::string function;
    int after = 0;  ///< so many calls succeed before
};

/// The environment that CreateEnv() gives, and what is wrong with it. One for the whole program.
struct HostState {
    OrtEnv env;
    HostFaults faults;
    std::string version = "1.32.0";
    bool is_too_old = false;  ///< GetApi(23) is null
};
HostState& host_state();

const OrtApiBase& host_api_base();

}  // namespace rondo::ort
