#include "bindings/triton/data_types.hpp"

#include "rondo/error.hpp"

namespace rondo::triton {
namespace {

struct Row {
    ElementType ours;
    TRITONSERVER_DataType theirs;
    const char* name;
};

constexpr Row kTypes[] = {
    {ElementType::boolean, TRITONSERVER_TYPE_BOOL, "TYPE_BOOL"},
    {ElementType::u8, TRITONSERVER_TYPE_UINT8, "TYPE_UINT8"},
    {ElementType::u16, TRITONSERVER_TYPE_UINT16, "TYPE_UINT16"},
    {ElementType::u32, TRITONSERVER_TYPE_UINT32, "TYPE_UINT32"},
    {ElementType::u64, TRITONSERVER_TYPE_UINT64, "TYPE_UINT64"},
    {ElementType::i8, TRITONSERVER_TYPE_INT8, "TYPE_INT8"},
    {ElementType::i16, TRITONSERVER_TYPE_INT16, "TYPE_INT16"},
    {ElementType::i32, TRITONSERVER_TYPE_INT32, "TYPE_INT32"},
    {ElementType::i64, TRITONSERVER_TYPE_INT64, "TYPE_INT64"},
    {ElementType::f16, TRITONSERVER_TYPE_FP16, "TYPE_FP16"},
    {ElementType::bf16, TRITONSERVER_TYPE_BF16, "TYPE_BF16"},
    {ElementType::f32, TRITONSERVER_TYPE_FP32, "TYPE_FP32"},
    {ElementType::f64, TRITONSERVER_TYPE_FP64, "TYPE_FP64"},
};

}  // namespace

TRITONSERVER_DataType triton_type(ElementType type, const std::string& place) {
    for (const Row& row : kTypes) {
        if (row.ours == type) return row.theirs;
    }
    throw UnsupportedError(place + " has the type " + std::string(to_string(type)) +
                           ", which Triton doesn't have");
}

ElementType element_type(TRITONSERVER_DataType type) {
    for (const Row& row : kTypes) {
        if (row.theirs == type) return row.ours;
    }
    return ElementType::dynamic;
}

std::string config_name(TRITONSERVER_DataType type) {
    for (const Row& row : kTypes) {
        if (row.theirs == type) return row.name;
    }
    return "TYPE_INVALID";
}

}  // namespace rondo::triton
