// Coefficients of the vector math, once for every width, in f32 and in f64.
// Minimax fits (Remez exchange in 50 digits, then rounded); errors are those of the fit. Those of
// f64 come from tools/fit_vector_math.py.
#pragma once

#include <cfloat>
#include <span>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu::math {

/// What the formulas of vector_math.hpp need in one precision. The values of f32 are exact in f32.
struct MathConstants {  // lint: allow(members): one member for each constant
    // x = n ln 2 + r, |r| <= ln 2 / 2. Adding `magic` rounds n to an integer and leaves n + bias,
    // the biased exponent of 2^n, in the low bits. Fused multiply-adds make x - n * ln2_high exact.
    double magic;
    double log2_e;
    double ln2_high;
    double ln2_low;

    // Below this n is -bias, whose 2^n is 0 here: results under the smallest normal become zero.
    double exp_floor;
    // General exp: beyond these it is 0 and infinity.
    double exp_lowest;
    double exp_highest;
    // e^x for x <= 0 is the general one, which rounds results under the smallest normal rightly.
    bool gradual_underflow;

    double tanh_limit;  // beyond, e^(-2x) rounds away
    double largest;     // the largest finite number
    double infinity;

    std::span<const double> exp;    // e^r = 1 + r + r^2 q(r), |r| <= ln 2 / 2
    std::span<const double> expm1;  // e^r - 1 = r + r^2 q(r), |r| <= ln 2 / 2
    std::span<const double> tanh;   // (1 - e^(-2r)) / 2 = r + r^2 q(r), |r| <= ln 2 / 4
    std::span<const double> log1p;  // ln(1 + e) = e p(e) on [0, 1]
    // ln((1 + s) / (1 - s)) = 2 s + s z p(z), z = s^2, for a ratio in [1 / sqrt(2), sqrt(2)].
    std::span<const double> log;
    double smallest_normal;
    double upscale;  // makes a normal number of a subnormal one
    double upscale_log2;
    double exponent_origin;         // what PlainOps::biased_exponent() gives for 1
    std::span<const double> erf;    // erf(x) = x p(x^2), |x| <= 1
    std::span<const double> erfcx;  // erf(x) = 1 - e^(-x^2) p(x), 1 <= x <= erf_limit
    double erf_limit;               // beyond, erf rounds to 1

    // n / d by the instruction: it overlaps with the longer polynomials.
    bool divides;
};

// First guess of 1 / d on [1, 2], relative error 1.8e-3.
inline constexpr double kReciprocal[] = {0x1.6a09c2p1, -0x1.783c56p1, 0x1.54bde4p0, -0x1.c65286p-3};
// The same on [0.5, 1].
inline constexpr double kReciprocalHalf[] = {0x1.6a09c2p2, -0x1.783c56p3, 0x1.54bde4p3,
                                             -0x1.c65286p1};

// Relative error 3.1e-9.
inline constexpr double kExpF32[] = {0x1.fffffcp-2, 0x1.555492p-3, 0x1.5558f2p-5, 0x1.123a2p-7,
                                     0x1.6a23dp-10};
// Relative error 1.4e-8.
inline constexpr double kExpm1F32[] = {0x1p-1, 0x1.5554bp-3, 0x1.555486p-5, 0x1.122838p-7,
                                       0x1.6d995ap-10};
// The same, coefficient i times -2 (-2)^i.
inline constexpr double kTanhF32[] = {-0x1p0, 0x1.5554bp-1, -0x1.555486p-2, 0x1.122838p-3,
                                      -0x1.6d995ap-5};
// Relative error 4.8e-9.
inline constexpr double kLog1pF32[] = {0x1p0,         -0x1.ffffbep-2, 0x1.554c8p-2,  -0x1.ff0f86p-3,
                                       0x1.92f692p-3, -0x1.397558p-3, 0x1.b2533ep-4, -0x1.d29c8cp-5,
                                       0x1.453ecep-6, -0x1.a932fap-9};

// Relative error 3.6e-18.
inline constexpr double kExpF64[] = {
    0x1.000000000000ap-1,  0x1.55555555554fap-3,  0x1.555555555087cp-5,  0x1.1111111127bf3p-7,
    0x1.6c16c1842a12ap-10, 0x1.a01a012a53f8ap-13, 0x1.a0199a0c6922ap-16, 0x1.71df2558de09ap-19,
    0x1.28ad72c997d3ap-22, 0x1.ad7f66e06b020p-26};
// Relative error 2.6e-19.
inline constexpr double kExpm1F64[] = {0x1p-1,
                                       0x1.5555555555559p-3,
                                       0x1.555555555553fp-5,
                                       0x1.111111110f6dap-7,
                                       0x1.6c16c16c1f07dp-10,
                                       0x1.a01a01afd3dbep-13,
                                       0x1.a01a017bc487ep-16,
                                       0x1.71ddf87ec471cp-19,
                                       0x1.27e5363110640p-22,
                                       0x1.af5e74f8a927dp-26,
                                       0x1.1ee87f78951bfp-29};
// The same, coefficient i times -2 (-2)^i.
inline constexpr double kTanhF64[] = {-0x1p0,
                                      0x1.5555555555559p-1,
                                      -0x1.555555555553fp-2,
                                      0x1.111111110f6dap-3,
                                      -0x1.6c16c16c1f07dp-5,
                                      0x1.a01a01afd3dbep-7,
                                      -0x1.a01a017bc487ep-9,
                                      0x1.71ddf87ec471cp-11,
                                      -0x1.27e5363110640p-13,
                                      0x1.af5e74f8a927dp-16,
                                      -0x1.1ee87f78951bfp-18};
// Relative error 1.5e-18.
inline constexpr double kLog1pF64[] = {0x1p0,
                                       -0x1.fffffffffffe6p-2,
                                       0x1.555555555445dp-2,
                                       -0x1.ffffffff75478p-3,
                                       0x1.99999986c1954p-3,
                                       -0x1.555553c229e2ap-3,
                                       0x1.249232835f987p-3,
                                       -0x1.fffe3130a36eap-4,
                                       0x1.c70ebe17fd9ccp-4,
                                       -0x1.994a4df312219p-4,
                                       0x1.72f6b758b7974p-4,
                                       -0x1.504e194773faap-4,
                                       0x1.2c84903edd68cp-4,
                                       -0x1.022baa77ae2e8p-4,
                                       0x1.9be6d3aace9e5p-5,
                                       -0x1.24eebdfab5141p-5,
                                       0x1.63ab3d451ce91p-6,
                                       -0x1.600fff9347d7fp-7,
                                       0x1.0d5917fa0281ap-8,
                                       -0x1.2835fa6dd81aap-10,
                                       0x1.9e349931338d2p-13,
                                       -0x1.1374f5f76d66cp-16};

// Relative errors 1.7e-11 before they were rounded, 4.5e-18.
inline constexpr double kLogF32[] = {0x1.555556p-1, 0x1.9999ecp-2, 0x1.245c0cp-2, 0x1.ddd8f2p-3};
inline constexpr double kLogF64[] = {
    0x1.5555555555558p-1, 0x1.9999999995223p-2, 0x1.2492492e03f94p-2, 0x1.c71c62d01eeeap-3,
    0x1.7462ba30de73bp-3, 0x1.39fdb82e337a5p-3, 0x1.2b5fcb9de1f1fp-3};

// Relative errors of erf: 1.2e-9 and 1.4e-8, 7.3e-18 and 1.1e-16.
inline constexpr double kErfF32[] = {0x1.20dd74p+0, -0x1.81273ep-2,  0x1.ce2cf8p-4, -0x1.b7f90ep-6,
                                     0x1.5405b4p-8, -0x1.a3f70ep-11, 0x1.496a5ap-14};
inline constexpr double kErfcxF32[] = {0x1.f8fb34p-1, -0x1.0c8834p+0, 0x1.9687c6p-1,
                                       -0x1.bb87dp-2, 0x1.51f3e2p-3,  -0x1.526d6p-5,
                                       0x1.8d85aep-8, -0x1.9ce92cp-12};
inline constexpr double kErfF64[] = {
    0x1.20dd750429b6dp+0,  -0x1.812746b0379bdp-2,  0x1.ce2f21a040d16p-4,  -0x1.b82ce311fa94ep-6,
    0x1.565bccf92b4dbp-8,  -0x1.c02db03ddb052p-11, 0x1.f9a2baa94e758p-14, -0x1.f4ca4d7341b54p-17,
    0x1.b97fd3fa7025fp-20, -0x1.5c0727954525ap-23, 0x1.d71b12b59aca8p-27, -0x1.abae51a9cf12dp-31};
inline constexpr double kErfcxF64[] = {
    0x1.ffffbc87a9d16p-1,  -0x1.20dbd9f610a79p+0,  0x1.ffed7f63c9047p-1,  -0x1.80e42d26dea82p-1,
    0x1.fea7e866bddd1p-2,  -0x1.318704b739e3fp-2,  0x1.4d7b1f4d37737p-3,  -0x1.4d030556344adp-4,
    0x1.2f0c7fdf12d41p-5,  -0x1.f20fb64831df4p-7,  0x1.6d05afe331be9p-8,  -0x1.d692332ce9f2ep-10,
    0x1.06efe547b2085p-11, -0x1.f5ed7640cbe53p-14, 0x1.92c663438bfafp-16, -0x1.0af1defcccc72p-18,
    0x1.1dfdd2f86d2e5p-21, -0x1.e168f3a4b42bfp-25, 0x1.31aacf5a1744dp-28, -0x1.12b6e4c03c1d8p-32,
    0x1.36eefa3963eb5p-37, -0x1.4cc5e423e222dp-43};

inline constexpr MathConstants kF32 = {.magic = 0x1.8p23 + 127.0,
                                       .log2_e = 0x1.715476p0,
                                       .ln2_high = 0x1.62e43p-1,
                                       .ln2_low = -0x1.05c61p-29,
                                       .exp_floor = -88.0,
                                       .exp_lowest = -104.0,
                                       .exp_highest = 89.0,
                                       .gradual_underflow = false,
                                       .tanh_limit = 44.0,
                                       .largest = FLT_MAX,
                                       .infinity = __builtin_inf(),
                                       .exp = kExpF32,
                                       .expm1 = kExpm1F32,
                                       .tanh = kTanhF32,
                                       .log1p = kLog1pF32,
                                       .log = kLogF32,
                                       .smallest_normal = FLT_MIN,
                                       .upscale = 0x1p23,
                                       .upscale_log2 = 23.0,
                                       .exponent_origin = 0x1p23 + 127.0,
                                       .erf = kErfF32,
                                       .erfcx = kErfcxF32,
                                       .erf_limit = 4.0,
                                       .divides = false};

inline constexpr MathConstants kF64 = {.magic = 0x1.8p52 + 1023.0,
                                       .log2_e = 0x1.71547652b82fep0,
                                       .ln2_high = 0x1.62e42fefa39efp-1,
                                       .ln2_low = 0x1.abc9e3b39803fp-56,
                                       .exp_floor = -709.0,
                                       .exp_lowest = -746.0,
                                       .exp_highest = 710.0,
                                       .gradual_underflow = true,
                                       .tanh_limit = 44.0,
                                       .largest = DBL_MAX,
                                       .infinity = __builtin_inf(),
                                       .exp = kExpF64,
                                       .expm1 = kExpm1F64,
                                       .tanh = kTanhF64,
                                       .log1p = kLog1pF64,
                                       .log = kLogF64,
                                       .smallest_normal = DBL_MIN,
                                       .upscale = 0x1p52,
                                       .upscale_log2 = 52.0,
                                       .exponent_origin = 0x1p52 + 1023.0,
                                       .erf = kErfF64,
                                       .erfcx = kErfcxF64,
                                       .erf_limit = 6.0,
                                       .divides = true};

constexpr const MathConstants& constants_of(Precision precision) {
    return precision == Precision::f64 ? kF64 : kF32;
}

}  // namespace rondo::cpu::math
