// Arguments that Python code gives in several forms: paths, texts and mappings.
#pragma once

#include <pybind11/pybind11.h>

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
/// where it is neither.
std::optional<py::dict> dict_from(const py::object& object);

}  // namespace rondo::python
