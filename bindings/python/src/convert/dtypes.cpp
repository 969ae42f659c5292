#include "bindings/python/src/convert/dtypes.hpp"

#include "bindings/python/src/convert/arguments.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

constexpr std::size_t kTypeCount = static_cast<std::size_t>(ElementType::u2) + 1;

// The name of each element type, NumPy's own or that of ml_dtypes.
const char* numpy_name(ElementType type) {
    switch (type) {
        case ElementType::dynamic: return "";
        case ElementType::boolean: return "bool";
        case ElementType::f64: return "float64";
        case ElementType::f32: return "float32";
        case ElementType::f16: return "float16";
        case ElementType::bf16: return "bfloat16";
        case ElementType::i64: return "int64";
        case ElementType::i32: return "int32";
        case ElementType::i16: return "int16";
        case ElementType::i8: return "int8";
        case ElementType::u64: return "uint64";
        case ElementType::u32: return "uint32";
        case ElementType::u16: return "uint16";
        case ElementType::u8: return "uint8";
        case ElementType::f8e4m3: return "float8_e4m3fn";
        case ElementType::f8e5m2: return "float8_e5m2";
        case ElementType::f8e4m3fnuz: return "float8_e4m3fnuz";
        case ElementType::f8e5m2fnuz: return "float8_e5m2fnuz";
        case ElementType::f8e8m0: return "float8_e8m0fnu";
        case ElementType::f4e2m1: return "float4_e2m1fn";
        case ElementType::i4: return "int4";
        case ElementType::u4: return "uint4";
        case ElementType::i2: return "int2";
        case ElementType::u2: return "uint2";
    }
    return "";
}

// The number by which NumPy knows a type of its own; -1 for one that it doesn't have.
int numpy_number(ElementType type) {
    using Numpy = py::detail::npy_api;
    constexpr int kHalf = 23;  // NPY_HALF, which pybind11 doesn't name
    switch (type) {
        case ElementType::boolean: return Numpy::NPY_BOOL_;
        case ElementType::f64: return Numpy::NPY_DOUBLE_;
        case ElementType::f32: return Numpy::NPY_FLOAT_;
        case ElementType::f16: return kHalf;
        case ElementType::i64: return Numpy::NPY_INT64_;
        case ElementType::i32: return Numpy::NPY_INT32_;
        case ElementType::i16: return Numpy::NPY_INT16_;
        case ElementType::i8: return Numpy::NPY_INT8_;
        case ElementType::u64: return Numpy::NPY_UINT64_;
        case ElementType::u32: return Numpy::NPY_UINT32_;
        case ElementType::u16: return Numpy::NPY_UINT16_;
        case ElementType::u8: return Numpy::NPY_UINT8_;
        default: return -1;
    }
}

bool is_of_ml_dtypes(ElementType type) { return type == ElementType::bf16 || is_narrow(type); }

py::dtype ml_dtype(ElementType type) {
    try {
        return py::dtype::from_args(py::module_::import("ml_dtypes").attr(numpy_name(type)));
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_ImportError) && !error.matches(PyExc_AttributeError)) throw;
        throw UnsupportedError("NumPy has no " + std::string(to_string(type)) +
                               ": install the package ml_dtypes, or convert the model's "
                               "inputs and outputs to f32");
    }
}

// NumPy has one dtype object for each type of its own in the machine's byte order.
bool is_numpys_own(const py::dtype& dtype, ElementType type) {
    return dtype.is(py::dtype(numpy_number(type)));
}

// "float32" and the like; "" for a name that NumPy doesn't use for any element type.
ElementType from_numpy_name(const std::string& name) {
    for (std::size_t i = 1; i < kTypeCount; ++i) {
        if (name == numpy_name(static_cast<ElementType>(i))) return static_cast<ElementType>(i);
    }
    return ElementType::dynamic;
}

ElementType from_text(const std::string& text) {
    const ElementType type = from_numpy_name(text);
    return type == ElementType::dynamic ? element_type_from_string(text) : type;
}

}  // namespace

py::dtype dtype_of(ElementType type) {
    if (type == ElementType::dynamic) {
        throw ModelError("an array needs a known element type, not 'dynamic'");
    }
    return is_of_ml_dtypes(type) ? ml_dtype(type) : py::dtype(numpy_number(type));
}

bool is_dtype_of(const py::dtype& dtype, ElementType type) {
    if (type == ElementType::dynamic) return false;
    if (!is_of_ml_dtypes(type) && is_numpys_own(dtype, type)) return true;
    return py::cast<bool>(dtype.attr("isnative")) &&
           py::cast<std::string>(dtype.attr("name")) == numpy_name(type);
}

ElementType type_of(const py::dtype& dtype) {
    for (const ElementType common : {ElementType::f32, ElementType::i64}) {
        if (is_numpys_own(dtype, common)) return common;
    }
    const auto name = py::cast<std::string>(dtype.attr("name"));
    const ElementType type = from_numpy_name(name);
    if (type != ElementType::dynamic) return type;
    throw UnsupportedError("an array of dtype '" + name + "' can't become a tensor");
}

std::optional<ElementType> type_from(py::handle object) {
    if (py::isinstance<Type>(object)) return py::cast<Type>(object).value;
    if (py::isinstance<py::str>(object)) return from_text(utf8_from(object, "an element type"));
    if (PyType_Check(object.ptr())) {
        return type_of(py::dtype::from_args(py::reinterpret_borrow<py::object>(object)));
    }
    if (py::isinstance<py::dtype>(object)) return type_of(py::cast<py::dtype>(object));
    return std::nullopt;
}

}  // namespace rondo::python
