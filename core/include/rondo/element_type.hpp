// The types that a tensor's elements can have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rondo/export.hpp"

namespace rondo {

/// `dynamic` means "not known yet" in a graph; no tensor has it.
///
/// The types from f8e4m3 on are narrow: they can be stored, moved and converted, and that is all.
/// An element has a byte, even one of 2 or 4 bits, which then are the lowest of the byte, as in
/// Python's ml_dtypes. f8e4m3 is ONNX's FLOAT8E4M3FN; the types of ONNX's that end in FNUZ have
/// neither infinities nor -0.
enum class ElementType : std::uint8_t {
    dynamic, boolean, f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8,
    f8e4m3, f8e5m2, f8e4m3fnuz, f8e5m2fnuz, f8e8m0, f4e2m1, i4, u4, i2, u2
};

/// Bytes of one element; 0 for `dynamic`. A boolean has one byte (0 or 1).
RONDO_API std::size_t size_of(ElementType type);

/// The name used in the IR's attributes: "f32", "i64", "boolean", ...
RONDO_API std::string_view to_string(ElementType type);

/// The inverse of to_string(), case-insensitive; also reads port precisions such as "FP32".
/// Throws UnsupportedError for "string" and the like, ModelError for an unknown name.
RONDO_API ElementType element_type_from_string(std::string_view name);

/// True for f64, f32, f16 and bf16.
RONDO_API bool is_floating(ElementType type);

/// True for the signed and unsigned integers of 8 bits and more, but not for boolean.
RONDO_API bool is_integral(ElementType type);

/// True for the types that can only be stored, moved and converted: f8e4m3, i4 and the like.
RONDO_API bool is_narrow(ElementType type);

/// IEEE binary16 stored as its bits; arithmetic is done in float.
struct float16 {
    std::uint16_t bits = 0;
    float16() = default;
    RONDO_API explicit float16(float value);  ///< rounds to nearest even
    RONDO_API explicit operator float() const;
};

/// bfloat16 stored as its bits; arithmetic is done in float.
struct bfloat16 {
    std::uint16_t bits = 0;
    bfloat16() = default;
    RONDO_API explicit bfloat16(float value);  ///< rounds to nearest even
    RONDO_API explicit operator float() const;
};

/// The ElementType of a C++ type: element_type_of<float>() is ElementType::f32.
template <typename T>
constexpr ElementType element_type_of();
template <> constexpr ElementType element_type_of<bool>() { return ElementType::boolean; }
template <> constexpr ElementType element_type_of<double>() { return ElementType::f64; }
template <> constexpr ElementType element_type_of<float>() { return ElementType::f32; }
template <> constexpr ElementType element_type_of<float16>() { return ElementType::f16; }
template <> constexpr ElementType element_type_of<bfloat16>() { return ElementType::bf16; }
template <> constexpr ElementType element_type_of<std::int64_t>() { return ElementType::i64; }
template <> constexpr ElementType element_type_of<std::int32_t>() { return ElementType::i32; }
template <> constexpr ElementType element_type_of<std::int16_t>() { return ElementType::i16; }
template <> constexpr ElementType element_type_of<std::int8_t>() { return ElementType::i8; }
template <> constexpr ElementType element_type_of<std::uint64_t>() { return ElementType::u64; }
template <> constexpr ElementType element_type_of<std::uint32_t>() { return ElementType::u32; }
template <> constexpr ElementType element_type_of<std::uint16_t>() { return ElementType::u16; }
template <> constexpr ElementType element_type_of<std::uint8_t>() { return ElementType::u8; }

}  // namespace rondo
