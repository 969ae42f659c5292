#include "bindings/python/src/convert/arguments.hpp"

#include "rondo/error.hpp"

namespace rondo::python {

std::string path_from(const py::object& path) {
    auto bytes = py::cast<std::string>(py::module_::import("os").attr("fsencode")(path));
    if (bytes.find('\0') != std::string::npos) {
        throw py::value_error("embedded null byte in a path");
    }
    return bytes;
}

std::string utf8_from(py::handle text, const std::string& what) {
    Py_ssize_t size = 0;
    if (const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) {
        return {data, static_cast<std::size_t>(size)};
    }
    py::error_already_set error;
    if (!error.matches(PyExc_UnicodeEncodeError)) throw error;
    const auto shown = text.attr("encode")("utf-8", "backslashreplace");
    throw ModelError(what + ": got '" + py::cast<std::string>(shown) +
                     "', which has lone surrogates; expected a text that UTF-8 can hold");
}

std::optional<py::dict> dict_from(const py::object& object) {
    if (py::isinstance<py::dict>(object)) return py::reinterpret_borrow<py::dict>(object);
    // What an inference is given most often is spared the look-ups.
    const bool other = py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object) ||
                       PyObject_CheckBuffer(object.ptr()) != 0;
    if (other || !py::hasattr(object, "keys")) return std::nullopt;
    if (!py::isinstance(object, py::module_::import("collections.abc").attr("Mapping"))) {
        return std::nullopt;
    }
    return py::dict(object);
}

}  // namespace rondo::python
