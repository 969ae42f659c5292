// Python's view of shapes and dimensions.
#include <pybind11/stl.h>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/shapes.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

std::size_t checked_index(py::ssize_t index, std::size_t size) {
    const auto count = static_cast<py::ssize_t>(size);
    const py::ssize_t at = index < 0 ? index + count : index;
    if (at < 0 || at >= count)
        throw py::index_error("the shape has no axis " + std::to_string(index));
    return static_cast<std::size_t>(at);
}

py::tuple tuple_of(const Shape& shape) {
    py::tuple extents(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i) extents[i] = py::int_(shape[i]);
    return extents;
}

py::list list_of(const PartialShape& shape) {
    py::list dimensions;
    for (std::size_t i = 0; i < shape.rank(); ++i) dimensions.append(py::cast(shape[i]));
    return dimensions;
}

std::int64_t most(const Dimension& dimension) {
    return dimension.max() == Dimension::kInfinity ? -1 : dimension.max();
}

// Never throws for what isn't a shape: such a thing just isn't equal.
template <typename T, typename Read>
bool equals(const T& value, py::handle other, Read read) {
    try {
        const auto same = read(other);
        return same && *same == value;
    } catch (const Error&) {
        return false;
    } catch (const py::error_already_set& error) {
        if (error.matches(PyExc_TypeError) || error.matches(PyExc_OverflowError)) return false;
        throw;
    }
}

const Dimension& plain(const Dimension& value) { return value; }
const PartialShape& plain(const PartialShape& value) { return value; }
const Shape& plain(const PyShape& value) { return value.extents; }

template <typename T>
void bind_text(py::class_<T>& bound, const std::string& name, const char* text) {
    const auto show = [](const T& self) { return to_string(plain(self)); };
    bound.def("__str__", show).def("to_string", show, text);
    bound.def("__repr__",
              [name, show](const T& self) { return "<" + name + ": " + show(self) + ">"; });
}

void bind_shape(py::module_& module) {
    py::class_<PyShape> bound(
        module, "Shape", "A shape whose extents are all known; compares with lists and tuples.");
    bind_text(bound, "Shape", "The shape as text, such as \"[2,3]\".");
    bound.def(py::init<>())
        .def(py::init([](ShapeArgument shape) { return PyShape{std::move(shape.value)}; }),
             py::arg("axis_lengths"))
        .def("__len__", [](const PyShape& self) { return self.extents.size(); })
        .def(
            "__getitem__",
            [](const PyShape& self, py::ssize_t index) {
                return self.extents[checked_index(index, self.extents.size())];
            },
            "An extent by its place; with a slice, the Shape of several.")
        .def("__getitem__",
             [](const PyShape& self, const py::slice& slice) {
                 return PyShape{*shape_from(tuple_of(self.extents)[slice])};
             })
        .def("__setitem__",
             [](PyShape& self, py::ssize_t index, std::size_t extent) {
                 self.extents[checked_index(index, self.extents.size())] = extent;
             })
        .def("__iter__", [](const PyShape& self) { return py::iter(tuple_of(self.extents)); })
        .def("__eq__", [](const PyShape& self, py::handle other) {
            return equals(self.extents, other, shape_from);
        });
}

void bind_dimension(py::module_& module) {
    const auto least = [](const Dimension& self) { return self.min(); };
    py::class_<Dimension> bound(
        module, "Dimension",
        "One extent of a shape: a number, a range, or open. Dimension() is open.");
    bind_text(bound, "Dimension", "The extent as text: \"5\", \"?\" or \"1..64\".");
    bind_fact(bound, "min_length", least, "The least extent.");
    bind_fact(bound, "max_length", most, "The largest extent; -1 for any.");
    bound.def(py::init<>())
        .def(py::init([](const std::string& text) { return *dimension_from(py::str(text)); }),
             py::arg("str"))
        .def(py::init<std::int64_t>(), py::arg("dimension"))
        .def(py::init([](std::int64_t low, std::int64_t high) {
                 return *dimension_from(py::make_tuple(low, high));
             }),
             py::arg("min_dimension"), py::arg("max_dimension"))
        .def_static(
            "dynamic", [] { return Dimension(); }, "An extent that may be anything.")
        .def_property_readonly("is_static", &Dimension::is_static, "Whether it is one number.")
        .def_property_readonly(
            "is_dynamic", [](const Dimension& self) { return !self.is_static(); },
            "Whether it may be several numbers.")
        .def("get_length", &Dimension::length,
             "The number. Raises ModelError where it may be several.")
        .def("__len__", &Dimension::length)
        .def("__eq__", [](const Dimension& self,
                          py::handle other) { return equals(self, other, dimension_from); })
        .def("__hash__", [](const Dimension& self) {
            // As hash(5) if it equals 5.
            if (self.is_static()) return py::hash(py::int_(self.min()));
            return py::hash(py::make_tuple(self.min(), self.max()));
        });
}

PyShape bounds_of(const PartialShape& shape, bool upper) {
    PyShape bounds;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        bounds.extents.push_back(static_cast<std::size_t>(upper ? shape[i].max() : shape[i].min()));
    }
    return bounds;
}

// What a partial shape has in common with Python's lists.
void bind_extents(py::class_<PartialShape>& type) {
    type.def("__len__", &PartialShape::rank)
        .def(
            "__getitem__",
            [](const PartialShape& self, py::ssize_t index) {
                return self[checked_index(index, self.rank())];
            },
            "A Dimension by its place; with a slice, the PartialShape of several.")
        .def("__getitem__",
             [](const PartialShape& self, const py::slice& slice) {
                 return *partial_shape_from(list_of(self)[slice]);
             })
        .def("__setitem__",
             [](PartialShape& self, py::ssize_t index, const py::object& extent) {
                 const auto dimension = dimension_from(extent);
                 if (!dimension)
                     throw py::type_error("an extent is a number, a text or a Dimension");
                 self[checked_index(index, self.rank())] = *dimension;
             })
        .def(
            "get_dimension",
            [](const PartialShape& self, py::ssize_t index) {
                return self[checked_index(index, self.rank())];
            },
            py::arg("index"), "The extent of an axis. Raises IndexError where there is none.")
        .def("__iter__", [](const PartialShape& self) { return py::iter(list_of(self)); })
        .def("__eq__", [](const PartialShape& self, py::handle other) {
            return equals(self, other, partial_shape_from);
        });
}

void bind_partial_shape(py::module_& module) {
    const auto known = [](const PartialShape& self) { return PyShape{self.to_shape()}; };
    py::class_<PartialShape> type(module, "PartialShape",
                                  "A shape whose extents may be open: from a list of numbers, -1, "
                                  "ranges (1, 64), texts or a text such as \"?,1..64,8\".");
    bind_text(type, "PartialShape", "The shape as text, such as \"[?,1..64,8]\".");
    bind_extents(type);
    type.def(py::init<>())
        .def(py::init([](PartialShapeArgument shape) { return std::move(shape.value); }),
             py::arg("shape"))
        .def_static(
            "dynamic",
            [](const py::object& rank) {
                const auto known = rank.is_none() ? Dimension() : dimension_from(rank);
                if (!known) throw py::type_error("a rank is a number or a Dimension");
                return known->is_static()
                           ? PartialShape::of_rank(static_cast<std::size_t>(known->length()))
                           : PartialShape();
            },
            py::arg("rank") = py::none(),
            "A shape of that rank with open extents; without a rank any shape.")
        .def_property_readonly("is_static", &PartialShape::is_static,
                               "Whether all extents are known.")
        .def_property_readonly(
            "is_dynamic", [](const PartialShape& self) { return !self.is_static(); },
            "Whether an extent or the rank is open.")
        .def_property_readonly(
            "rank",
            [](const PartialShape& self) {
                return self.has_rank() ? Dimension(static_cast<std::int64_t>(self.rank()))
                                       : Dimension();
            },
            "The number of axes, as a Dimension.")
        .def("__copy__", [](const PartialShape& self) { return self; })
        .def(
            "__deepcopy__", [](const PartialShape& self, const py::dict&) { return self; },
            py::arg("memo"))
        .def(
            "compatible",
            [](const PartialShape& self, const PartialShapeArgument& shape) {
                return self.intersect(shape.value).has_value();
            },
            py::arg("shape"), "Whether a shape could be both.")
        .def("get_shape", known, "The shape. Raises ModelError where extents are open.")
        .def("to_shape", known, "The shape. Raises ModelError where extents are open.")
        .def(
            "get_min_shape", [](const PartialShape& self) { return bounds_of(self, false); },
            "The least extents.")
        .def(
            "get_max_shape", [](const PartialShape& self) { return bounds_of(self, true); },
            "The largest extents.");
}

}  // namespace

void bind_shapes(py::module_& module) {
    bind_shape(module);
    bind_dimension(module);
    bind_partial_shape(module);
}

}  // namespace rondo::python
