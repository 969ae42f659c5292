// Properties as Python writes them (True, 4, "LATENCY"), and as Rondo keeps them: text.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "rondo/properties.hpp"

namespace rondo::python {

namespace py = pybind11;

/// From a dict, a (name, value) pair, or None. Booleans become YES and NO. Throws ModelError for a
/// value that has no text.
Properties properties_from(const py::object& object);

/// The value of a property that is known to be a number, a switch or a list as such; else its text.
py::object property_to_python(const std::string& name, const std::string& value);

}  // namespace rondo::python
