#include "bindings/python/src/convert/arguments.hpp"

#include <algorithm>
#include <cmath>

#include "rondo/error.hpp"

namespace rondo::python {
namespace {

constexpr double kMostSeconds = 1e9;

[[noreturn]] void refuse_time(py::handle value, const std::string& what, const char* expected) {
    throw ModelError(what + ": got " + repr_of(value) + "; expected " + expected);
}

}  // namespace

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

std::string repr_of(py::handle object) { return py::cast<std::string>(py::repr(object)); }

void check_callable(const py::object& function, const std::string& caller,
                    const std::string& what) {
    if (PyCallable_Check(function.ptr()) != 0) return;
    throw py::type_error(caller + ": expected a function of " + what);
}

std::chrono::nanoseconds time_from(py::handle value, const std::string& what) {
    const bool is_timedelta = py::hasattr(value, "total_seconds");
    const py::object number =
        is_timedelta ? value.attr("total_seconds")() : py::reinterpret_borrow<py::object>(value);
    const double seconds = PyFloat_AsDouble(number.ptr());
    if (PyErr_Occurred() != nullptr || std::isnan(seconds)) {
        PyErr_Clear();
        refuse_time(value, what, "seconds or a timedelta");
    }
    const double bounded = std::clamp(seconds, -kMostSeconds, kMostSeconds);
    return std::chrono::nanoseconds(std::llround(bounded * 1e9));
}

std::chrono::nanoseconds duration_from(py::handle value, const std::string& what) {
    const std::chrono::nanoseconds time = time_from(value, what);
    if (time.count() < 0) refuse_time(value, what, "0 seconds or more");
    return time;
}

}  // namespace rondo::python
