// Python's view of element types.
#include <algorithm>
#include <iterator>
#include <string>

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

bool is_not_floating(ElementType type) { return !is_floating(type); }

bool is_quantized(ElementType type) {
    constexpr ElementType kQuantized[] = {
        ElementType::i32,    ElementType::i8,     ElementType::u8,     ElementType::i4,
        ElementType::f8e4m3, ElementType::f8e5m2, ElementType::f8e8m0, ElementType::f4e2m1};
    return std::find(std::begin(kQuantized), std::end(kQuantized), type) != std::end(kQuantized);
}

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
    bound.def("to_string", name, "The name, such as \"f32\".");
    bind_fact(bound, "type_name", name, "The name, such as \"f32\".");
    bind_fact(bound, "size", size, "Bytes of an element.");
    bind_fact(bound, "bitwidth", bits, "Bits of an element that count: 4 for i4.");
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
        "compatible",
        [](const Type& self, const Type& other) {
            const bool is_open =
                self.value == ElementType::dynamic || other.value == ElementType::dynamic;
            return is_open || self.value == other.value;
        },
        py::arg("other"), "Whether both are the same type, or one is dynamic.");
    const auto bind_kind = [&bound](const char* kind, bool (*is)(ElementType), const char* text) {
        const auto get = [is](const Type& self) { return is(self.value); };
        bound.def((std::string("is_") + kind).c_str(), get, text);
        bound.def_property_readonly(kind, get, text);
    };
    bind_kind("real", &is_floating, "Whether it is a floating type.");
    bind_kind("integral", &is_not_floating, "Whether it isn't a floating type.");
    bind_kind("integral_number", &is_integral, "Whether it is an integer.");
    bind_kind("signed", &is_signed, "Whether it has a sign.");
    bind_kind("quantized", &is_quantized,
              "Whether OpenVINO counts it among the types of quantised numbers.");
}

}  // namespace rondo::python
