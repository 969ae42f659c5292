// Python's view of Tensor.
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <vector>

#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/convert/dlpack.hpp"
#include "bindings/python/src/convert/ports.hpp"
#include "bindings/python/src/convert/shapes.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

constexpr const char* kWhere = "Tensor: ";

PyTensor tensor_of_port(const Port& port) {
    if (!port.info.shape.is_static()) {
        throw ModelError(std::string(to_string(port.kind)) + " '" + port.info.any_name() + "' " +
                         to_string(port.info.shape) +
                         " has open extents: give the tensor's type and shape");
    }
    return {Tensor(port.info.element_type, port.info.shape.to_shape())};
}

PyTensor tensor_of_array(const py::object& object, bool shared_memory) {
    const py::array array = array_from(object, kWhere);
    if (shared_memory) return tensor_sharing(array);
    return tensor_copying(array, type_of(array.dtype()), kWhere);
}

void copy_from(PyTensor& self, const py::object& source) {
    if (py::isinstance<PyTensor>(source)) {
        if (self.read_only) throw ModelError("Tensor.copy_from: the tensor is read-only");
        py::cast<const PyTensor&>(source).tensor.copy_to(self.tensor);
    } else {
        const std::string where = "Tensor.copy_from: ";
        copy_into(self, array_from(source, where), where);
    }
}

void copy_to(const PyTensor& self, PyTensor& target) {
    if (target.read_only) throw ModelError("Tensor.copy_to: the target is read-only");
    self.tensor.copy_to(target.tensor);
}

PyTensor clone(const PyTensor& self) {
    PyTensor made{Tensor(self.tensor.element_type(), self.tensor.shape())};
    self.tensor.copy_to(made.tensor);
    return made;
}

py::array data_of(const PyTensor& self) { return view_of(self); }

// As many elements stay as they are, under another shape; else there are new ones.
void set_shape(PyTensor& self, const ShapeArgument& shape) {
    const ElementType type = self.tensor.element_type();
    const bool stay = element_count(shape.value) == self.tensor.size() &&
                      self.tensor.is_contiguous() && self.tensor.size() > 0;
    PyTensor made;
    if (stay) {
        made = {Tensor(type, shape.value, self.tensor.data(), {},
                       std::make_shared<Tensor>(self.tensor)),
                self.read_only};
    } else {
        made = {Tensor(type, shape.value)};
    }
    if (self.rebind) self.rebind(made);
    self.tensor = made.tensor;
    self.read_only = made.read_only;
}

// As NumPy's protocol asks: a view if nothing is to change, unless a copy is wished.
py::object as_array(const PyTensor& self, const py::object& dtype, const py::object& copy) {
    const py::array view = data_of(self);
    const bool other = !dtype.is_none() && !view.dtype().equal(dtype);
    if (other && !copy.is_none() && !py::cast<bool>(copy)) {
        throw py::value_error("a tensor can't be seen under another dtype without a copy");
    }
    if (other) return view.attr("astype")(dtype);
    if (!copy.is_none() && py::cast<bool>(copy)) return view.attr("copy")();
    return view;
}

py::capsule export_dlpack(const PyTensor& self, const py::object& stream,
                          const py::object& max_version, const py::object& device,
                          const py::object& copy) {
    if (!stream.is_none()) throw ModelError("__dlpack__: a tensor on the CPU has no stream");
    if (!device.is_none() && !device.equal(py::make_tuple(1, 0))) {
        throw py::buffer_error("a tensor can't be moved to another device");
    }
    const bool versioned = !max_version.is_none() && py::cast<int>(max_version[py::int_(0)]) >= 1;
    if (copy.is_none() || !py::cast<bool>(copy)) return to_dlpack(self, versioned);
    return to_dlpack(clone(self), versioned);
}

std::string describe_tensor(const PyTensor& self) {
    return "<Tensor: " + std::string(to_string(self.tensor.element_type())) +
           to_string(self.tensor.shape()) + ">";
}

template <typename Class>
void bind_facts(Class& bound) {
    const auto shape = [](const PyTensor& self) { return PyShape{self.tensor.shape()}; };
    const auto type = [](const PyTensor& self) { return Type{self.tensor.element_type()}; };
    const auto size = [](const PyTensor& self) { return self.tensor.size(); };
    const auto byte_size = [](const PyTensor& self) { return self.tensor.byte_size(); };
    const auto strides = [](const PyTensor& self) { return self.tensor.strides(); };
    bind_fact(bound, "shape", shape, &set_shape,
              "The shape. Assigning it keeps the elements where their number stays, else there are "
              "new ones, of zero.");
    bound.def("set_shape", &set_shape, py::arg("shape"),
              "Gives it another shape. The elements stay where their number does, else there are "
              "new ones, of zero. An input tensor of a request is bound to it again.");
    bind_fact(bound, "element_type", type, "The element type.");
    bind_fact(bound, "size", size, "The number of elements.");
    bind_fact(bound, "byte_size", byte_size, "The bytes of all elements.");
    bind_fact(bound, "strides", strides, "The bytes from one element to the next along each axis.");
    bound.def(
        "is_continuous", [](const PyTensor& self) { return self.tensor.is_contiguous(); },
        "Whether the elements lie one behind the other.");
    bound.def("__repr__", &describe_tensor);
}

}  // namespace

void bind_tensor(py::module_& module) {
    py::class_<PyTensor> bound(
        module, "Tensor",
        "An array with an element type. Tensor(array) copies; with shared_memory=True it is the "
        "array's memory. Tensor(type, shape) and Tensor(port) are filled with zeros.");
    // In the order in which they are tried: what takes any object comes last.
    bound.def(py::init(&tensor_of_port), py::arg("port"));
    bound.def(py::init([](const TypeArgument& type, const ShapeArgument& shape) {
                  return PyTensor{Tensor(type.value, shape.value)};
              }),
              py::arg("type"), py::arg("shape"));
    bound.def(py::init(&tensor_of_array), py::arg("array"),
              py::arg("shared_memory").noconvert() = false);
    bound.def(py::init([](const py::array& array, const ShapeArgument& shape,
                          const std::optional<TypeArgument>& type) {
                  const ElementType own = type_from(array.dtype()).value_or(ElementType::dynamic);
                  return tensor_sharing_as(array, shape.value, type ? type->value : own);
              }),
              py::arg("array"), py::arg("shape"), py::arg("type") = py::none());
    bind_facts(bound);
    bound.def_property(
        "data", &data_of, [](PyTensor& self, const py::object& array) { copy_from(self, array); },
        "An array that shares the memory. Assigning copies, and converts if only float digits are "
        "lost.");
    bound.def("copy_from", &copy_from, py::arg("source"),
              "Copies an array or a tensor of the same shape into this one. Raises ModelError for "
              "other shapes and for conversions that lose more than float digits.");
    bound.def("copy_to", &copy_to, py::arg("target"),
              "Copies to a tensor of the same type and shape.");
    bound.def(
        "__copy__", [](const PyTensor& self) { return self; },
        "A tensor over the same memory, until set_shape() gives one of them new elements.");
    bound.def(
        "__deepcopy__", [](const PyTensor& self, const py::dict&) { return clone(self); },
        py::arg("memo"), "A tensor with a copy of the elements.");
    bound.def("__array__", &as_array, py::arg("dtype") = py::none(), py::arg("copy") = py::none());
    bound.def_static("from_dlpack", &from_dlpack, py::arg("object"),
                     "A tensor that shares the memory of an object of another package, such as a "
                     "tensor of PyTorch.");
    bound.def("__dlpack__", &export_dlpack, py::kw_only(), py::arg("stream") = py::none(),
              py::arg("max_version") = py::none(), py::arg("dl_device") = py::none(),
              py::arg("copy") = py::none());
    bound.def("__dlpack_device__", [](const PyTensor&) { return std::pair(1, 0); });
}

}  // namespace rondo::python
