// Element types and NumPy's dtypes, each from the other.
#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <string>

#include "rondo/element_type.hpp"

namespace rondo::python {

namespace py = pybind11;

/// An element type as a Python object: rondo.Type.
struct Type {
    ElementType value = ElementType::dynamic;
};

/// NumPy's dtype of a type. bf16 is the package ml_dtypes': throws UnsupportedError without it.
/// Throws ModelError for `dynamic`.
py::dtype dtype_of(ElementType type);

/// True if an array of this dtype holds the type's elements, in this machine's byte order.
bool is_dtype_of(const py::dtype& dtype, ElementType type);

/// Throws UnsupportedError naming a dtype that has no element type. Byte order is not looked at.
ElementType type_of(const py::dtype& dtype);

/// From what people write for a type: rondo.Type, a dtype, np.float32, float, "f32", "float32".
/// Empty if the object is none of these kinds; throws if it names no type.
std::optional<ElementType> type_from(py::handle object);

}  // namespace rondo::python
