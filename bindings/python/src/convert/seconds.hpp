// Times as Python programs give them: seconds as a number, or a datetime.timedelta.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <string>

namespace rondo::python {

namespace py = pybind11;

/// At most a thousand million seconds, in both directions. Throws ModelError, which begins with
/// `what`, for what is no time.
std::chrono::nanoseconds time_from(py::handle value, const std::string& what);

/// As time_from(), for times that are 0 or more.
std::chrono::nanoseconds duration_from(py::handle value, const std::string& what);

}  // namespace rondo::python
