// One lane of vector arithmetic in plain C++: what the emitters of cpu/jit do, on a float.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace rondo::cpu {

/// The formulas of vector_math.hpp and cell_math.hpp are templates over a class like this one. Here
/// a Value is a number and an operation computes; in cpu/jit a Value is a register and an operation
/// emits an instruction. So every variant runs the same sequence of IEEE operations.
struct PlainOps {
    using Value = float;

    static float constant(float value) { return value; }
    static float add(float a, float b) { return a + b; }
    static float sub(float a, float b) { return a - b; }
    static float mul(float a, float b) { return a * b; }
    static float div(float a, float b) { return a / b; }

    /// a * b + c, rounded once.
    static float fma(float a, float b, float c) { return std::fma(a, b, c); }

    /// c - a * b, rounded once.
    static float sub_product(float c, float a, float b) { return std::fma(-a, b, c); }

    /// As the instructions do: the second operand where either is NaN.
    static float max(float a, float b) { return a > b ? a : b; }
    static float min(float a, float b) { return a < b ? a : b; }

    static float abs(float x) { return from_bits(bits(x) & 0x7fffffffu); }
    static float negative_abs(float x) { return from_bits(bits(x) | 0x80000000u); }

    /// The magnitude of `magnitude` (which is not negative) with the sign bit of `sign`.
    static float copy_sign(float magnitude, float sign) {
        return from_bits(bits(magnitude) | (bits(sign) & 0x80000000u));
    }

    /// 2^n, for t = n + kMagic.
    static float power_of_two(float t) { return from_bits(bits(t) << 23); }

    /// By the sign bit of x, so that -0 counts as negative.
    static float select_negative(float x, float negative, float otherwise) {
        return bits(x) >> 31 ? negative : otherwise;
    }

    /// `otherwise` where either is NaN.
    static float select_less_equal(float x, float y, float yes, float otherwise) {
        return x <= y ? yes : otherwise;
    }

private:
    static std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
    static float from_bits(std::uint32_t x) { return std::bit_cast<float>(x); }
};

}  // namespace rondo::cpu
