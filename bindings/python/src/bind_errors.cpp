#include "bindings/python/src/bind.hpp"
#include "rondo/error.hpp"

namespace rondo::python {

// Translators are asked in the reverse order: the base comes first. OpenVINO throws RuntimeError,
// so code that catches it catches ours.
void bind_errors(pybind11::module_& module) {
    const auto& base = pybind11::register_exception<Error>(module, "Error", PyExc_RuntimeError);
    pybind11::register_exception<ModelError>(module, "ModelError", base);
    pybind11::register_exception<UnsupportedError>(module, "UnsupportedError", base);
    pybind11::register_exception<InternalError>(module, "InternalError", base);
    pybind11::register_exception<CancelledError>(module, "CancelledError", base);
}

}  // namespace rondo::python
