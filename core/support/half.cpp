// Conversions between float and the 16-bit types.
#include <bit>
#include <cstdint>

#include "rondo/element_type.hpp"

namespace rondo {
namespace {

// Rounds away the lowest `shift` bits of `bits`, ties to even.
std::uint32_t shift_right_rounding(std::uint32_t bits, unsigned shift) {
    if (shift > 31) return 0;
    const std::uint32_t half = 1u << (shift - 1);
    const std::uint32_t rest = bits & ((1u << shift) - 1);
    std::uint32_t result = bits >> shift;
    if (rest > half || (rest == half && (result & 1u) != 0)) ++result;
    return result;
}

std::uint16_t float_to_f16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);  // NaN
    if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (magnitude >= 0x38800000u) {  // a normal f16: move the exponent's bias from 127 to 15
        const std::uint32_t rounded = shift_right_rounding(magnitude - 0x38000000u, 13);
        return static_cast<std::uint16_t>(sign | rounded);  // a carry into infinity is right
    }
    const std::uint32_t exponent = magnitude >> 23;
    const std::uint32_t mantissa = (magnitude & 0x7fffffu) | (exponent != 0 ? 0x800000u : 0u);
    return static_cast<std::uint16_t>(sign | shift_right_rounding(mantissa, 126 - exponent));
}

float f16_to_float(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fu;
    const std::uint32_t mantissa = half & 0x3ffu;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
    if (exponent != 0) {
        return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
    }
    const float subnormal = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(subnormal) | sign);
}

}  // namespace

float16::float16(float value) : bits(float_to_f16(value)) {}
float16::operator float() const { return f16_to_float(bits); }

bfloat16::bfloat16(float value) {
    const auto wide = std::bit_cast<std::uint32_t>(value);
    if ((wide & 0x7fffffffu) > 0x7f800000u) {
        bits = static_cast<std::uint16_t>((wide >> 16) | 0x40u);  // keep NaN a NaN
    } else {
        bits = static_cast<std::uint16_t>((wide + 0x7fffu + ((wide >> 16) & 1u)) >> 16);
    }
}
bfloat16::operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace rondo
