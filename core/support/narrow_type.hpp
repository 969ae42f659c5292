// Numbers of 2 to 8 bits that are only stored and converted: FLOAT8E4M3FN, INT4 and the like.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "rondo/element_type.hpp"

namespace rondo {

/// What becomes of numbers that a narrow type doesn't have. Floating types round to nearest even;
/// f8e8m0, which has powers of two alone, rounds as `scale` says.
struct NarrowRounding {
    /// The way of f8e8m0; `nearest` takes the greater one of two that are equally near.
    enum class Scale : std::uint8_t { up, down, nearest };

    /// Numbers too large become the largest one; else infinity or NaN, whichever the type has.
    bool saturates = true;
    Scale scale = Scale::up;

    friend bool operator==(const NarrowRounding&, const NarrowRounding&) = default;
};

/// How many bits of its byte an element takes: 2, 4 or 8. 0 for types that aren't narrow.
int narrow_bits(ElementType type);
/// Whether its numbers are integers. False for types that aren't narrow.
bool is_narrow_integer(ElementType type);

/// Codes of floating types as ONNX's Cast defines them; NaN becomes -0 in f4e2m1, which has none.
/// Integers are cut towards zero and keep their lowest bits; NaN and what 64 bits don't hold
/// become 0.
std::uint8_t narrow_code(ElementType type, double value, NarrowRounding rounding = {});

/// The same for an integer, or its lowest 64 bits, of which i4, u4, i2 and u2 keep the lowest.
std::uint8_t narrow_code(ElementType type, std::uint64_t word, bool is_signed,
                         NarrowRounding rounding);

/// The number of each code; the bits above an element's own don't count.
using NarrowNumbers = std::array<float, 256>;
const NarrowNumbers& narrow_numbers(ElementType type);

/// Bytes of `count` elements if nothing lies between them, as files store them.
std::size_t packed_bytes(ElementType type, std::size_t count);
/// Between elements in a byte each and packed ones, of which the first is in a byte's lowest bits.
void pack(ElementType type, std::span<const std::uint8_t> elements, std::uint8_t* packed);
void unpack(ElementType type, const std::uint8_t* packed, std::span<std::uint8_t> elements);

}  // namespace rondo
