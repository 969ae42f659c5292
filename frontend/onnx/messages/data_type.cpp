#include "frontend/onnx/messages/data_type.hpp"

#include <limits>
#include <string>
#include <string_view>

#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

struct DataTypeRow {
    std::string_view name;
    ElementType type;  // dynamic: Rondo can't hold it
};

// By TensorProto.DataType, of which the packaged onnx.proto knows only the first 17.
constexpr DataTypeRow kTypes[] = {
    {"UNDEFINED", ElementType::dynamic},
    {"FLOAT", ElementType::f32},
    {"UINT8", ElementType::u8},
    {"INT8", ElementType::i8},
    {"UINT16", ElementType::u16},
    {"INT16", ElementType::i16},
    {"INT32", ElementType::i32},
    {"INT64", ElementType::i64},
    {"STRING", ElementType::dynamic},
    {"BOOL", ElementType::boolean},
    {"FLOAT16", ElementType::f16},
    {"DOUBLE", ElementType::f64},
    {"UINT32", ElementType::u32},
    {"UINT64", ElementType::u64},
    {"COMPLEX64", ElementType::dynamic},
    {"COMPLEX128", ElementType::dynamic},
    {"BFLOAT16", ElementType::bf16},
    {"FLOAT8E4M3FN", ElementType::f8e4m3},
    {"FLOAT8E4M3FNUZ", ElementType::f8e4m3fnuz},
    {"FLOAT8E5M2", ElementType::f8e5m2},
    {"FLOAT8E5M2FNUZ", ElementType::f8e5m2fnuz},
    {"UINT4", ElementType::u4},
    {"INT4", ElementType::i4},
    {"FLOAT4E2M1", ElementType::f4e2m1},
    {"FLOAT8E8M0", ElementType::f8e8m0},
    {"UINT2", ElementType::u2},
    {"INT2", ElementType::i2},
    {"FLOAT6E2M3", ElementType::dynamic},
    {"FLOAT6E3M2", ElementType::dynamic},
};
constexpr std::int32_t kCount = sizeof kTypes / sizeof kTypes[0];

}  // namespace

ElementType element_type_from_onnx(std::int32_t data_type) {
    if (data_type == 0) throw ModelError("the element type is undefined");
    const bool known = data_type > 0 && data_type < kCount;
    if (known && kTypes[data_type].type != ElementType::dynamic) return kTypes[data_type].type;
    const std::string name = known ? " (" + std::string(kTypes[data_type].name) + ")" : "";
    throw UnsupportedError("the element type " + std::to_string(data_type) + name +
                           " is not supported: Rondo computes on numbers of 8 to 64 bits");
}

std::int32_t onnx_from_element_type(ElementType type) {
    for (std::int32_t i = 1; i < kCount; ++i) {
        if (kTypes[i].type == type && type != ElementType::dynamic) return i;
    }
    throw UnsupportedError("the element type isn't known");
}

ElementType element_type_from_name(const std::string& name) {
    std::string upper = name;
    for (char& c : upper) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    for (std::int32_t i = 0; i < kCount; ++i) {
        if (kTypes[i].name == upper) return element_type_from_onnx(i);
    }
    throw ModelError("'" + name + "' is not a data type");
}

std::optional<ElementType> find_element_type(Attributes& attributes, const std::string& name) {
    const auto number = attributes.find_int(name);
    if (!number) return std::nullopt;
    if (*number < 0 || *number > std::numeric_limits<std::int32_t>::max()) {
        throw ModelError("attribute '" + name + "' is " + std::to_string(*number) +
                         "; expected a data type");
    }
    return element_type_from_onnx(static_cast<std::int32_t>(*number));
}

}  // namespace rondo::onnx
