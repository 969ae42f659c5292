#include "bindings/python/src/convert/arguments.hpp"

namespace rondo::python {

std::string path_from(const py::object& path) {
    auto bytes = py::cast<std::string>(py::module_::import("os").attr("fsencode")(path));
    if (bytes.find('\0') != std::string::npos) {
        throw py::value_error("embedded null byte in a path");
    }
    return bytes;
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
