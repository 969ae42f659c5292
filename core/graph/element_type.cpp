#include "rondo/element_type.hpp"

#include <array>
#include <string>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

struct TypeRow {
    ElementType type;
    std::string_view name;
    std::string_view alias;  // what ports call it in the IR, if it isn't the name
    std::size_t size;
};

constexpr std::array kTypes = {
    TypeRow{ElementType::dynamic, "dynamic", "unspecified", 0},
    TypeRow{ElementType::boolean, "boolean", "bool", 1},
    TypeRow{ElementType::f64, "f64", "fp64", 8},
    TypeRow{ElementType::f32, "f32", "fp32", 4},
    TypeRow{ElementType::f16, "f16", "fp16", 2},
    TypeRow{ElementType::bf16, "bf16", "bf16", 2},
    TypeRow{ElementType::i64, "i64", "i64", 8},
    TypeRow{ElementType::i32, "i32", "i32", 4},
    TypeRow{ElementType::i16, "i16", "i16", 2},
    TypeRow{ElementType::i8, "i8", "i8", 1},
    TypeRow{ElementType::u64, "u64", "u64", 8},
    TypeRow{ElementType::u32, "u32", "u32", 4},
    TypeRow{ElementType::u16, "u16", "u16", 2},
    TypeRow{ElementType::u8, "u8", "u8", 1},
    TypeRow{ElementType::f8e4m3, "f8e4m3", "f8e4m3fn", 1},
    TypeRow{ElementType::f8e5m2, "f8e5m2", "f8e5m2", 1},
    TypeRow{ElementType::f8e4m3fnuz, "f8e4m3fnuz", "f8e4m3fnuz", 1},
    TypeRow{ElementType::f8e5m2fnuz, "f8e5m2fnuz", "f8e5m2fnuz", 1},
    TypeRow{ElementType::f8e8m0, "f8e8m0", "f8e8m0", 1},
    TypeRow{ElementType::f4e2m1, "f4e2m1", "f4e2m1", 1},
    TypeRow{ElementType::i4, "i4", "i4", 1},
    TypeRow{ElementType::u4, "u4", "u4", 1},
    TypeRow{ElementType::i2, "i2", "i2", 1},
    TypeRow{ElementType::u2, "u2", "u2", 1},
};

const TypeRow& row_of(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

std::size_t size_of(ElementType type) { return row_of(type).size; }

std::string_view to_string(ElementType type) { return row_of(type).name; }

ElementType element_type_from_string(std::string_view name) {
    const std::string lower = to_lower(trim(name));
    for (const auto& known : kTypes) {
        if (lower == known.name || lower == known.alias) return known.type;
    }
    if (lower == "string" || lower == "u1" || lower == "u3" || lower == "u6" || lower == "nf4" ||
        lower.starts_with("complex")) {
        throw UnsupportedError("element type '" + std::string(name) +
                               "' is not supported: Rondo computes on numbers of 8 to 64 bits");
    }
    throw ModelError("unknown element type '" + std::string(name) +
                     "'; there are f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, "
                     "boolean, and f8e4m3, f8e5m2, f8e4m3fnuz, f8e5m2fnuz, f8e8m0, f4e2m1, i4, u4, "
                     "i2 and u2, which can only be converted");
}

bool is_floating(ElementType type) {
    return type == ElementType::f64 || type == ElementType::f32 || type == ElementType::f16 ||
           type == ElementType::bf16;
}

bool is_integral(ElementType type) {
    return type != ElementType::dynamic && type != ElementType::boolean && !is_floating(type) &&
           !is_narrow(type);
}

bool is_narrow(ElementType type) { return type >= ElementType::f8e4m3; }

}  // namespace rondo
