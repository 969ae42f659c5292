// What people write for types and shapes in Python, read as arguments of bound functions.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "bindings/python/src/convert/dtypes.hpp"
#include "rondo/shape.hpp"

namespace rondo::python {

namespace py = pybind11;

/// rondo.Shape: a tuple of extents of its own type, as OpenVINO has it.
struct PyShape {
    Shape extents;
};

/// From a Dimension, 5, -1, (2, 10) or "2..10". Nothing for objects of another kind; throws
/// ModelError for what can't be an extent.
std::optional<Dimension> dimension_from(py::handle object);

/// From a PartialShape, Shape, "1,?,3" or a sequence of what dimension_from() reads.
std::optional<PartialShape> partial_shape_from(py::handle object);

/// From a Shape, "1,3" or a sequence of known extents.
std::optional<Shape> shape_from(py::handle object);

// Arguments that take all of the above; a function with one is passed over for other objects.
struct TypeArgument {
    ElementType value = ElementType::dynamic;
};
struct ShapeArgument {
    Shape value;
};
struct PartialShapeArgument {
    PartialShape value;
};

}  // namespace rondo::python

namespace pybind11::detail {

template <typename Argument, auto read>
struct rondo_argument_caster {
    template <typename T>
    using cast_op_type = movable_cast_op_type<T>;

    bool load(handle source, bool) {
        auto found = read(source);
        if (!found) return false;
        value.value = *std::move(found);
        return true;
    }
    operator Argument*() { return &value; }
    operator Argument&() { return value; }
    operator Argument&&() && { return std::move(value); }

    Argument value;
};

template <>
struct type_caster<rondo::python::TypeArgument>
    : rondo_argument_caster<rondo::python::TypeArgument, rondo::python::type_from> {
    static constexpr auto name = const_name("TypeLike");
};
template <>
struct type_caster<rondo::python::ShapeArgument>
    : rondo_argument_caster<rondo::python::ShapeArgument, rondo::python::shape_from> {
    static constexpr auto name = const_name("ShapeLike");
};
template <>
struct type_caster<rondo::python::PartialShapeArgument>
    : rondo_argument_caster<rondo::python::PartialShapeArgument,
                            rondo::python::partial_shape_from> {
    static constexpr auto name = const_name("ShapeLike");
};

}  // namespace pybind11::detail
