// Arguments that Python code gives in several forms: paths, texts, mappings, functions and times.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>
#include <string>

namespace rondo::python {

namespace py = pybind11;

/// The bytes of a str or os.PathLike as the file system has them, names that are no UTF-8 too.
/// Throws TypeError for what is no path, and ValueError, as open() does, for a NUL inside.
std::string path_from(const py::object& path);

/// A str as UTF-8. Throws ModelError, which begins with `what`, for one with lone surrogates.
std::string utf8_from(py::handle text, const std::string& what);

/// The dict that `object` is, or one with the items of another collections.abc.Mapping; nothing
/// if it is neither.
std::optional<py::dict> dict_from(const py::object& object);

/// What repr() says of it, for messages.
std::string repr_of(py::handle object);

/// Throws TypeError for what can't be called: "`caller`: expected a function of `what`".
void check_callable(const py::object& function, const std::string& caller, const std::string& what);

/// A time: seconds as a number, or a datetime.timedelta. At most a thousand million seconds, in
/// both directions. Throws ModelError, which begins with `what`, for what is no time.
std::chrono::nanoseconds time_from(py::handle value, const std::string& what);

/// As time_from(), for times that are 0 or more.
std::chrono::nanoseconds duration_from(py::handle value, const std::string& what);

}  // namespace rondo::python
