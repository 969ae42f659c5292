// Tables of functions as onnxruntime's, made by the tests.
#pragma once

#include <string>
#include <vector>

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
    bool is_too_old = false;       ///< GetApi(23) is null
    bool is_profiled = false;      ///< sessions are
    bool has_editor = true;        ///< GetModelEditorApi() gives its functions
    int taken = 0;                 ///< of so many graphs another provider has taken the nodes first
    bool ends_texts = true;        ///< ReadOpAttr() adds a zero byte to a text, as some releases do
    std::string model_path;        ///< of the models; empty: they come from memory
    bool hides_outer = false;      ///< bodies don't get constants of the graphs around them
    std::vector<std::string> log;  ///< of all sessions
    int attributes = 0;            ///< made by CreateOpAttr() that nothing owns
};
HostState& host_state();

const OrtApiBase& host_api_base();

}  // namespace rondo::ort
