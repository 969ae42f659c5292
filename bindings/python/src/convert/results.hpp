// What an inference gave, found by output index, name or port: rondo.OVDict.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "bindings/python/src/convert/ports.hpp"

namespace rondo::python {

/// A read-only mapping from outputs to arrays, in the outputs' order.
struct Results {
    std::shared_ptr<const PortList> ports;
    py::tuple values;

    /// The array that `key` names; throws KeyError where there is none.
    py::object at(py::handle key) const;
    /// Port -> array.
    py::dict to_dict() const;
};

}  // namespace rondo::python
