#include "bindings/python/src/convert/seconds.hpp"

#include <algorithm>
#include <cmath>

#include "rondo/error.hpp"

namespace rondo::python {
namespace {

constexpr double kMostSeconds = 1e9;

[[noreturn]] void refuse(py::handle value, const std::string& what, const char* expected) {
    throw ModelError(what + ": got " + py::cast<std::string>(py::repr(value)) + "; expected " +
                     expected);
}

}  // namespace

std::chrono::nanoseconds time_from(py::handle value, const std::string& what) {
    const bool is_timedelta = py::hasattr(value, "total_seconds");
    const py::object number =
        is_timedelta ? value.attr("total_seconds")() : py::reinterpret_borrow<py::object>(value);
    const double seconds = PyFloat_AsDouble(number.ptr());
    if (PyErr_Occurred() != nullptr || std::isnan(seconds)) {
        PyErr_Clear();
        refuse(value, what, "seconds or a timedelta");
    }
    const double bounded = std::clamp(seconds, -kMostSeconds, kMostSeconds);
    return std::chrono::nanoseconds(std::llround(bounded * 1e9));
}

std::chrono::nanoseconds duration_from(py::handle value, const std::string& what) {
    const std::chrono::nanoseconds time = time_from(value, what);
    if (time.count() < 0) refuse(value, what, "0 seconds or more");
    return time;
}

}  // namespace rondo::python
