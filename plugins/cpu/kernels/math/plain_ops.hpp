// One lane of vector arithmetic in plain C++: what the emitters of cpu/jit do, on a number.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/ops/elementwise/functions.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// The formulas of vector_math.hpp and cell_math.hpp are templates over a class like this one. Here
/// a Value is a number (T: float or double) and an operation computes; in cpu/jit a Value is a
/// register and an operation emits an instruction. So every variant of a precision runs the same
/// sequence of IEEE operations.
template <typename T>
struct PlainOps {
    using Value = T;

    static constexpr Precision precision() {
        return sizeof(T) == sizeof(double) ? Precision::f64 : Precision::f32;
    }

    static constexpr T constant(double value) { return static_cast<T>(value); }
    static T add(T a, T b) { return a + b; }
    static T sub(T a, T b) { return a - b; }
    static T mul(T a, T b) { return a * b; }
    static T div(T a, T b) { return a / b; }

    /// a * b + c, rounded once.
    static T fma(T a, T b, T c) { return std::fma(a, b, c); }

    /// c - a * b, rounded once.
    static T sub_product(T c, T a, T b) { return std::fma(-a, b, c); }

    /// As the instructions do: the second operand where either is NaN.
    static T max(T a, T b) { return a > b ? a : b; }
    static T min(T a, T b) { return a < b ? a : b; }

    static T abs(T x) { return from_bits(bits(x) & ~kSignBit); }
    static T negative_abs(T x) { return from_bits(bits(x) | kSignBit); }

    /// The magnitude of `magnitude` (which is not negative) with the sign bit of `sign`.
    static T copy_sign(T magnitude, T sign) {
        return from_bits(bits(magnitude) | (bits(sign) & kSignBit));
    }

    /// 2^n, for t = n + MathConstants::magic.
    static T power_of_two(T t) { return from_bits(bits(t) << kMantissaBits); }

    /// By the sign bit of x, so that -0 counts as negative.
    static T select_negative(T x, T negative, T otherwise) {
        return (bits(x) & kSignBit) != 0 ? negative : otherwise;
    }

    /// `otherwise` where either is NaN.
    static T select_less_equal(T x, T y, T yes, T otherwise) { return x <= y ? yes : otherwise; }

    static T sqrt(T x) { return std::sqrt(x); }
    static T floor(T x) { return std::floor(x); }
    static T ceiling(T x) { return std::ceil(x); }
    /// To the nearest integer, halves to the even one.
    static T round(T x) { return std::nearbyint(x); }

    /// A truth value: all bits set for true, none for false. select_negative() takes one, too.
    static T truth(bool x) { return from_bits(x ? ~Bits{0} : Bits{0}); }
    static T compare(ops::CompareFunction function, T a, T b) {
        switch (function) {
            case ops::CompareFunction::equal: return truth(a == b);
            case ops::CompareFunction::greater: return truth(a > b);
            case ops::CompareFunction::greater_equal: return truth(a >= b);
            case ops::CompareFunction::less: return truth(a < b);
            case ops::CompareFunction::less_equal: return truth(a <= b);
            case ops::CompareFunction::not_equal: return truth(a != b);
        }
        return a;
    }
    static T bit_and(T a, T b) { return from_bits(bits(a) & bits(b)); }
    static T bit_or(T a, T b) { return from_bits(bits(a) | bits(b)); }
    static T bit_xor(T a, T b) { return from_bits(bits(a) ^ bits(b)); }

    /// For x = 2^n m, m in [1, 2): n + bias + 2^kMantissaBits. x is a positive normal number.
    static T biased_exponent(T x) {
        return from_bits((bits(x) >> kMantissaBits) |
                         bits(static_cast<T>(std::uint64_t{1} << kMantissaBits)));
    }
    /// For the same x: m.
    static T mantissa(T x) {
        return from_bits((bits(x) & ((Bits{1} << kMantissaBits) - 1)) | bits(T{1}));
    }

private:
    using Bits = std::conditional_t<sizeof(T) == sizeof(double), std::uint64_t, std::uint32_t>;
    static constexpr int kMantissaBits = sizeof(T) == sizeof(double) ? 52 : 23;
    static constexpr Bits kSignBit = Bits{1} << (8 * sizeof(T) - 1);

    static Bits bits(T x) { return std::bit_cast<Bits>(x); }
    static T from_bits(Bits x) { return std::bit_cast<T>(x); }
};

}  // namespace rondo::cpu
