#include "rondo/element_type.hpp"

#include <array>
#include <string>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

struct Entry {
    ElementType type;
    std::string_view name;
    std::string_view alias;  // what ports call it in the IR, where it isn't the name
    std::size_t size;
};

constexpr std::array kTypes = {
    Entry{ElementType::dynamic, "dynamic", "unspecified", 0},
    Entry{ElementType::boolean, "boolean", "bool", 1},
    Entry{ElementType::f64, "f64", "fp64", 8},
    Entry{ElementType::f32, "f32", "fp32", 4},
    Entry{ElementType::f16, "f16", "fp16", 2},
    Entry{ElementType::bf16, "bf16", "bf16", 2},
    Entry{ElementType::i64, "i64", "i64", 8},
    Entry{ElementType::i32, "i32", "i32", 4},
    Entry{ElementType::i16, "i16", "i16", 2},
    Entry{ElementType::i8, "i8", "i8", 1},
    Entry{ElementType::u64, "u64", "u64", 8},
    Entry{ElementType::u32, "u32", "u32", 4},
    Entry{ElementType::u16, "u16", "u16", 2},
    Entry{ElementType::u8, "u8", "u8", 1},
};

const Entry& entry(ElementType type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

std::size_t size_of(ElementType type) { return entry(type).size; }

std::string_view to_string(ElementType type) { return entry(type).name; }

ElementType element_type_from_string(std::string_view name) {
    const std::string lower = to_lower(trim(name));
    for (const auto& known : kTypes) {
        if (lower == known.name || lower == known.alias) return known.type;
    }
    if (lower == "string" || lower == "u1" || lower == "u4" || lower == "i4" || lower == "nf4" ||
        lower.starts_with("f8") || lower.starts_with("complex")) {
        throw UnsupportedError("element type '" + std::string(name) +
                               "' is not supported: Rondo computes on numbers of 8 to 64 bits");
    }
    throw ModelError("unknown element type '" + std::string(name) +
                     "'; there are f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8 and "
                     "boolean");
}

bool is_floating(ElementType type) {
    return type == ElementType::f64 || type == ElementType::f32 || type == ElementType::f16 ||
           type == ElementType::bf16;
}

bool is_integral(ElementType type) {
    return type != ElementType::dynamic && type != ElementType::boolean && !is_floating(type);
}

}  // namespace rondo
