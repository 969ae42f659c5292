// The extension module `_rondo`: binds all classes under their public names.
#include <pybind11/pybind11.h>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/run/streams.hpp"
#include "bindings/python/src/support/gil.hpp"

namespace {

// Users know the classes as rondo.Tensor and so on, and messages should call them so.
void name_after_package(pybind11::module_& module) {
    for (const auto& [name, value] : module.attr("__dict__").cast<pybind11::dict>()) {
        if (PyType_Check(value.ptr()) != 0) value.attr("__module__") = "rondo";
    }
}

}  // namespace

// What a function's text in Python names must be bound before the function.
PYBIND11_MODULE(_rondo, module) {
    using namespace rondo::python;
    load_numpy();
    module.doc() = "Compiles recurrent networks and runs them on CPUs.";
    bind_errors(module);
    bind_types(module);
    bind_shapes(module);
    bind_graph(module);
    bind_tensor(module);
    bind_results(module);
    bind_model(module);
    bind_infer_request(module);
    bind_metrics(module);
    bind_stream(module);
    bind_compiled_model(module);
    bind_async_queue(module);
    bind_version(module);
    bind_core(module);
    bind_log(module);
    name_after_package(module);
    close_pools_at_exit();  // runs last, when no callback is left
    close_gate_at_exit();
    make_forks_wait_for_thread_states();
}
