// Elementwise functions on arrays, and softmax over a row.
#pragma once

#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/machine/precision.hpp"
#include "plugins/cpu/kernels/math/activation.hpp"

namespace rondo::cpu {

enum class UnaryKind { activation, exp };

struct UnaryConfig {
    UnaryKind kind = UnaryKind::activation;
    Activation activation;  ///< for UnaryKind::activation
    Precision precision = Precision::f32;
};

/// dst[i] = function(src[i]); the same bits from every variant. Immutable, usable from many
/// threads.
class UnaryKernel {
public:
    virtual ~UnaryKernel() = default;

    /// `n` elements of the config's precision. `dst` may be `src`, but may not overlap it
    /// otherwise.
    virtual void run(const void* src, void* dst, std::int64_t n) const = 0;
};

enum class BinaryKind { add, subtract, multiply, divide, maximum, minimum };

/// On f32: out[i] = a[i] op b[i]. `out` may be `a` or `b`.
void binary(Isa isa, BinaryKind kind, const float* a, const float* b, float* out, std::int64_t n);

/// out[i] = a[i] op b.
void binary_right_scalar(Isa isa, BinaryKind kind, const float* a, float b, float* out,
                         std::int64_t n);

/// out[i] = a op b[i].
void binary_left_scalar(Isa isa, BinaryKind kind, float a, const float* b, float* out,
                        std::int64_t n);

}  // namespace rondo::cpu
