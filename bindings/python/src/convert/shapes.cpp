#include "bindings/python/src/convert/shapes.hpp"

#include "bindings/python/src/convert/arguments.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

// As operator.index() reads it: Python's and NumPy's integers, no floats.
std::optional<std::int64_t> integer_from(py::handle object) {
    if (!PyIndex_Check(object.ptr())) return std::nullopt;
    // Every array has __index__(), which raises for those that are no whole number.
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    if (!index) throw py::error_already_set();
    const auto value = PyLong_AsLongLong(index.ptr());
    if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return value;
}

bool is_sequence(py::handle object) {
    return PySequence_Check(object.ptr()) != 0 && !py::isinstance<py::bytes>(object);
}

[[noreturn]] void refuse_extent(py::handle object) {
    throw ModelError("can't read " + repr_of(object) +
                     " as an extent; expected a number, -1, (2, 10), '2..10' or a Dimension");
}

std::int64_t bound_from(py::handle object, py::handle whole) {
    const auto bound = integer_from(object);
    if (!bound) refuse_extent(whole);
    return *bound;
}

Dimension interval_from(py::handle pair) {
    const auto bounds = py::reinterpret_borrow<py::sequence>(pair);
    if (bounds.size() != 2) refuse_extent(pair);
    const std::int64_t low = bound_from(bounds[0], pair);
    const std::int64_t high = bound_from(bounds[1], pair);
    return {low == -1 ? 0 : low, high == -1 ? Dimension::kInfinity : high};
}

Dimension parse_one(const std::string& text) {
    const PartialShape shape = PartialShape::parse(text);
    if (!shape.has_rank() || shape.rank() != 1) {
        throw ModelError("can't read '" + text + "' as one extent");
    }
    return shape[0];
}

}  // namespace

std::optional<Dimension> dimension_from(py::handle object) {
    if (py::isinstance<Dimension>(object)) return py::cast<Dimension>(object);
    if (py::isinstance<py::str>(object)) return parse_one(utf8_from(object, "an extent"));
    if (const auto extent = integer_from(object)) return Dimension(*extent);
    if (py::isinstance<py::tuple>(object) || py::isinstance<py::list>(object)) {
        return interval_from(object);
    }
    return std::nullopt;
}

std::optional<PartialShape> partial_shape_from(py::handle object) {
    if (py::isinstance<PartialShape>(object)) return py::cast<PartialShape>(object);
    if (py::isinstance<PyShape>(object)) return PartialShape(py::cast<PyShape>(object).extents);
    if (py::isinstance<py::str>(object)) return PartialShape::parse(utf8_from(object, "a shape"));
    if (!is_sequence(object)) return std::nullopt;
    std::vector<Dimension> dimensions;
    for (const py::handle item : object) {
        const auto dimension = dimension_from(item);
        if (!dimension) refuse_extent(item);
        dimensions.push_back(*dimension);
    }
    return PartialShape(std::move(dimensions));
}

std::optional<Shape> shape_from(py::handle object) {
    const auto shape = partial_shape_from(object);
    return shape ? std::optional(shape->to_shape()) : std::nullopt;
}

}  // namespace rondo::python
