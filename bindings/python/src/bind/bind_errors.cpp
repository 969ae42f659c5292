// Rondo's errors as Python's exceptions.
#include <cstring>
#include <exception>

#include "bindings/python/src/bind/bind.hpp"
#include "rondo/error.hpp"

namespace rondo::python {

namespace py = pybind11;

namespace {

// A message may quote a file's or a node's name that is no UTF-8: such bytes are shown as \xff.
void raise_as(const char* type, const Error& error) {
    const auto text = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
        error.what(), static_cast<Py_ssize_t>(std::strlen(error.what())), "backslashreplace"));
    PyErr_SetObject(py::module_::import("rondo._rondo").attr(type).ptr(), text.ptr());
}

}  // namespace

void set_python_error(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const ModelError& error) {
        raise_as("ModelError", error);
    } catch (const UnsupportedError& error) {
        raise_as("UnsupportedError", error);
    } catch (const InternalError& error) {
        raise_as("InternalError", error);
    } catch (const CancelledError& error) {
        raise_as("CancelledError", error);
    } catch (const OutOfMemoryError& error) {
        raise_as("OutOfMemoryError", error);
    } catch (const QueueFullError& error) {
        raise_as("QueueFullError", error);
    } catch (const Error& error) {
        raise_as("Error", error);
    }
}

// OpenVINO throws RuntimeError, so code that catches it catches ours. Python reports a lack of
// memory as MemoryError, so ours is one as well.
void bind_errors(py::module_& module) {
    py::exception<Error> base(module, "Error", PyExc_RuntimeError);
    base.doc() = "What all errors of Rondo derive from.";
    py::exception<ModelError> model(module, "ModelError", base);
    model.doc() = "A file or an argument is wrong; the message says where, and what was expected.";
    py::exception<UnsupportedError> unsupported(module, "UnsupportedError", base);
    unsupported.doc() = "What is asked for is valid, but Rondo can't do it.";
    py::exception<InternalError> internal(module, "InternalError", base);
    internal.doc() = "A bug in Rondo; please report it.";
    py::exception<CancelledError> cancelled(module, "CancelledError", base);
    cancelled.doc() = "The inference or step was cancelled.";
    py::exception<OutOfMemoryError> out_of_memory(
        module, "OutOfMemoryError", py::make_tuple(base, py::handle(PyExc_MemoryError)));
    out_of_memory.doc() = "There is not enough memory; a MemoryError as well.";
    py::exception<QueueFullError> queue_full(module, "QueueFullError", base);
    queue_full.doc() = "A stream or a pool takes no more steps or streams.";
    py::register_exception_translator(&set_python_error);
}

}  // namespace rondo::python
