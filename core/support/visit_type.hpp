// Calls one generic function with the C++ type of an element type.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/support/errors.hpp"
#include "rondo/element_type.hpp"

namespace rondo {

/// Names a type without a value of it.
template <typename T>
struct TypeTag {
    using type = T;
};

/// The type that a tag names: `using T = tag_type<decltype(tag)>`.
template <typename Tag>
using tag_type = typename Tag::type;

/// f(TypeTag<T>()), where T is the C++ type of `type`: float for f32, bool for boolean.
/// `dynamic` and narrow types are an InternalError. A boolean's byte in a caller's memory may hold
/// more than 0 and 1: code that reads one visits it as std::uint8_t.
template <typename F>
decltype(auto) visit_type(ElementType type, F&& f) {
    switch (type) {
        case ElementType::boolean: return f(TypeTag<bool>());
        case ElementType::f64: return f(TypeTag<double>());
        case ElementType::f32: return f(TypeTag<float>());
        case ElementType::f16: return f(TypeTag<float16>());
        case ElementType::bf16: return f(TypeTag<bfloat16>());
        case ElementType::i64: return f(TypeTag<std::int64_t>());
        case ElementType::i32: return f(TypeTag<std::int32_t>());
        case ElementType::i16: return f(TypeTag<std::int16_t>());
        case ElementType::i8: return f(TypeTag<std::int8_t>());
        case ElementType::u64: return f(TypeTag<std::uint64_t>());
        case ElementType::u32: return f(TypeTag<std::uint32_t>());
        case ElementType::u16: return f(TypeTag<std::uint16_t>());
        case ElementType::u8: return f(TypeTag<std::uint8_t>());
        default: break;
    }
    internal_error("an element type is open or narrow where elements are read");
}

/// As visit_type() for the integers alone; others are an InternalError.
template <typename F>
decltype(auto) visit_integer(ElementType type, F&& f) {
    using Result = decltype(f(TypeTag<std::int64_t>()));
    return visit_type(type, [&](auto tag) -> Result {
        using T = tag_type<decltype(tag)>;
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return f(tag);
        internal_error("elements that are no integers are read as integers");
    });
}

/// As visit_type() for f64, f32, f16 and bf16 alone; others are an InternalError.
template <typename F>
decltype(auto) visit_floating(ElementType type, F&& f) {
    using Result = decltype(f(TypeTag<float>()));
    return visit_type(type, [&](auto tag) -> Result {
        if constexpr (!std::is_integral_v<tag_type<decltype(tag)>>) return f(tag);
        internal_error("elements that are not floating are read as floating");
    });
}

}  // namespace rondo
