// Python's view of element types.
#include "bindings/python/src/bind/bind.hpp"
#include "bindings/python/src/convert/dtypes.hpp"
#include "bindings/python/src/convert/shapes.hpp"
#include "rondo/openvino/element_type.hpp"

namespace rondo::python {
namespace {

constexpr ElementType kBoundTypes[] = {
    ElementType::dynamic,    ElementType::boolean,    ElementType::f64,    ElementType::f32,
    ElementType::f16,        ElementType::bf16,       ElementType::i64,    ElementType::i32,
    ElementType::i16,        ElementType::i8,         ElementType::u64,    ElementType::u32,
    ElementType::u16,        ElementType::u8,         ElementType::f8e4m3, ElementType::f8e5m2,
    ElementType::f8e4m3fnuz, ElementType::f8e5m2fnuz, ElementType::f8e8m0, ElementType::f4e2m1,
    ElementType::i4,         ElementType::u4,         ElementType::i2,     ElementType::u2};

bool is_signed(ElementType type) { return is_floating(type) || to_string(type).front() == 'i'; }

// Types are equal to whatever names the same type: Type.f32 == "f32" == np.float32.
bool equals_type(const Type& type, py::handle other) {
    if (py::isinstance<Type>(other)) return py::cast<Type>(other).value == type.value;
    if (!py::isinstance<py::str>(other)) return false;
    return other.equal(py::str(std::string(to_string(type.value))));
}

}  // namespace

void bind_types(py::module_& module) {
    py::class_<Type> bound(module, "Type",
                           "An element type: Type.f32, or from a name, a dtype or another Type.");
    bound.def(py::init([](const TypeArgument& type) { return Type{type.value}; }),
              py::arg("dtype"));
    for (const ElementType type : kBoundTypes) {
        bound.attr(std::string(to_string(type)).c_str()) = Type{type};
    }
    const auto name = [](const Type& self) { return std::string(to_string(self.value)); };
    const auto differs = [](const Type& a, py::handle b) { return !equals_type(a, b); };
    bound.def("__eq__", &equals_type, py::is_operator());
    bound.def("__ne__", differs, py::is_operator());
    bound.def("__hash__", [name](const Type& self) { return py::hash(py::str(name(self))); });
    bound.def("__repr__", [name](const Type& self) { return "<Type: '" + name(self) + "'>"; });
    bound.def("__str__", name);
    const auto size = [](const Type& self) { return size_of(self.value); };
    const auto bits = [](const Type& self) { return ov::element::Type(self.value).bitwidth(); };
    bound.def("to_string", name, "The name, such as \"f32\".")
        .def("get_type_name", name, "The name, such as \"f32\".")
        .def_property_readonly("type_name", name, "The name, such as \"f32\".");
    bound.def("get_size", size, "Bytes of an element.")
        .def_property_readonly("size", size, "Bytes of an element.");
    bound.def("get_bitwidth", bits, "Bits of an element that count: 4 for i4.")
        .def_property_readonly("bitwidth", bits, "Bits of an element that count: 4 for i4.");
    bound.def(
        "to_dtype", [](const Type& self) { return dtype_of(self.value); },
        "The dtype of NumPy. bf16 and types of 8 bits and less need the package ml_dtypes.");
    bound.def(
        "is_dynamic", [](const Type& self) { return self.value == ElementType::dynamic; },
        "Whether no type is known.");
    bound.def(
        "is_static", [](const Type& self) { return self.value != ElementType::dynamic; },
        "Whether a type is known.");
    bound.def(
        "is_real", [](const Type& self) { return is_floating(self.value); },
        "Whether it is a floating type.");
    bound.def(
        "is_integral", [](const Type& self) { return !is_floating(self.value); },
        "Whether it isn't a floating type.");
    bound.def(
        "is_integral_number", [](const Type& self) { return is_integral(self.value); },
        "Whether it is an integer.");
    bound.def(
        "is_signed", [](const Type& self) { return is_signed(self.value); },
        "Whether it has a sign.");
}

}  // namespace rondo::python
