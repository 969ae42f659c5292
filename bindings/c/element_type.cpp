// Functions of rondo/c/element_type.h.
#include "rondo/element_type.hpp"

#include "bindings/c/handles.hpp"

namespace rondo::c {
namespace {

constexpr bool same(rondo_element_type_t c, ElementType cpp) {
    return static_cast<int>(c) == static_cast<int>(cpp);
}

// The C numbers never change. If the C++ enum is sorted differently, this needs a table.
static_assert(same(RONDO_DYNAMIC, ElementType::dynamic));
static_assert(same(RONDO_BOOLEAN, ElementType::boolean));
static_assert(same(RONDO_F64, ElementType::f64) && same(RONDO_F32, ElementType::f32));
static_assert(same(RONDO_F16, ElementType::f16) && same(RONDO_BF16, ElementType::bf16));
static_assert(same(RONDO_I64, ElementType::i64) && same(RONDO_I32, ElementType::i32));
static_assert(same(RONDO_I16, ElementType::i16) && same(RONDO_I8, ElementType::i8));
static_assert(same(RONDO_U64, ElementType::u64) && same(RONDO_U32, ElementType::u32));
static_assert(same(RONDO_U16, ElementType::u16) && same(RONDO_U8, ElementType::u8));
static_assert(same(RONDO_F8E4M3, ElementType::f8e4m3) && same(RONDO_F8E5M2, ElementType::f8e5m2));
static_assert(same(RONDO_F8E4M3FNUZ, ElementType::f8e4m3fnuz));
static_assert(same(RONDO_F8E5M2FNUZ, ElementType::f8e5m2fnuz));
static_assert(same(RONDO_F8E8M0, ElementType::f8e8m0) && same(RONDO_F4E2M1, ElementType::f4e2m1));
static_assert(same(RONDO_I4, ElementType::i4) && same(RONDO_U4, ElementType::u4));
static_assert(same(RONDO_I2, ElementType::i2) && same(RONDO_U2, ElementType::u2));

bool is_type(rondo_element_type_t type) { return type >= RONDO_DYNAMIC && type <= RONDO_U2; }

}  // namespace

ElementType element_type(rondo_element_type_t type) {
    if (!is_type(type)) {
        throw InvalidArgument(std::to_string(static_cast<int>(type)) + " is not an element type");
    }
    return static_cast<ElementType>(type);
}

rondo_element_type_t element_type(ElementType type) {
    return static_cast<rondo_element_type_t>(type);
}

}  // namespace rondo::c

using namespace rondo::c;

size_t rondo_element_size(rondo_element_type_t type) {
    return is_type(type) ? rondo::size_of(static_cast<rondo::ElementType>(type)) : 0;
}

const char* rondo_element_type_name(rondo_element_type_t type) {
    if (!is_type(type)) return "unknown type";
    // Every name is a literal, so it ends in 0.
    return rondo::to_string(static_cast<rondo::ElementType>(type)).data();
}

rondo_status_t rondo_element_type_from_name(const char* name, rondo_element_type_t* type) {
    return produce(type, "type", [&] {
        return element_type(rondo::element_type_from_string(text(name, "name")));
    });
}

float rondo_f16_to_float(uint16_t bits) {
    rondo::float16 value;
    value.bits = bits;
    return static_cast<float>(value);
}

uint16_t rondo_f16_from_float(float value) { return rondo::float16(value).bits; }

float rondo_bf16_to_float(uint16_t bits) {
    rondo::bfloat16 value;
    value.bits = bits;
    return static_cast<float>(value);
}

uint16_t rondo_bf16_from_float(float value) { return rondo::bfloat16(value).bits; }
