// Coefficients of the vector math, once for every width.
// Minimax fits (Remez exchange in 50 digits, then rounded to f32); errors are those of the fit.
#pragma once

namespace rondo::cpu::math {

// x = n ln 2 + r, |r| <= ln 2 / 2. Adding kMagic rounds n to an integer and leaves n + 127, the
// biased exponent of 2^n, in the low bits. Fused multiply-adds make x - n * kLn2High exact.
constexpr float kMagic = 0x1.8p23f + 127.0f;
constexpr float kLog2E = 0x1.715476p0f;
constexpr float kLn2High = 0x1.62e43p-1f;
constexpr float kLn2Low = -0x1.05c61p-29f;

// Below this n is -127, whose 2^n is 0 here: results under the smallest normal become zero.
constexpr float kExpFloor = -88.0f;
// General exp: beyond these it is 0 and infinity.
constexpr float kExpLowest = -104.0f;
constexpr float kExpHighest = 89.0f;

// e^r = 1 + r + r^2 q(r), relative error 3.1e-9 on |r| <= ln 2 / 2.
constexpr float kExp[] = {0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.123a2p-7f,
                          0x1.6a23dp-10f};

// e^r - 1 = r + r^2 q(r), relative error 1.4e-8 on |r| <= ln 2 / 2.
constexpr float kExpm1[] = {0x1p-1f, 0x1.5554bp-3f, 0x1.555486p-5f, 0x1.122838p-7f,
                            0x1.6d995ap-10f};

// (1 - e^(-2r)) / 2 = r + r^2 q(r), relative error 1.4e-8 on |r| <= ln 2 / 4.
constexpr float kTanh[] = {-0x1p0f, 0x1.5554bp-1f, -0x1.555486p-2f, 0x1.122838p-3f,
                           -0x1.6d995ap-5f};
constexpr float kTanhLimit = 44.0f;

// First guess of 1 / d on [1, 2], relative error 1.8e-3; a cubic step makes it exact to rounding.
constexpr float kReciprocal[] = {0x1.6a09c2p1f, -0x1.783c56p1f, 0x1.54bde4p0f, -0x1.c65286p-3f};
// The same on [0.5, 1].
constexpr float kReciprocalHalf[] = {0x1.6a09c2p2f, -0x1.783c56p3f, 0x1.54bde4p3f, -0x1.c65286p1f};

// ln(1 + e) = e p(e), relative error 4.8e-9 on [0, 1].
constexpr float kLog1p[] = {0x1p0f,         -0x1.ffffbep-2f, 0x1.554c8p-2f,  -0x1.ff0f86p-3f,
                            0x1.92f692p-3f, -0x1.397558p-3f, 0x1.b2533ep-4f, -0x1.d29c8cp-5f,
                            0x1.453ecep-6f, -0x1.a932fap-9f};

}  // namespace rondo::cpu::math
