// Elementwise functions on arrays, and softmax over a row.
#pragma once

#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/activation.hpp"
#include "plugins/cpu/kernels/cpu_features.hpp"
#include "plugins/cpu/kernels/precision.hpp"

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

/// The variant of the best instruction set up to `isa`.
std::unique_ptr<UnaryKernel> make_unary_kernel(Isa isa, const UnaryConfig& config);

enum class BinaryKind { add, subtract, multiply, divide, maximum, minimum };

/// On f32: out[i] = a[i] op b[i]. `out` may be `a` or `b`.
void binary(Isa isa, BinaryKind kind, const float* a, const float* b, float* out, std::int64_t n);

/// out[i] = a[i] op b.
void binary_right_scalar(Isa isa, BinaryKind kind, const float* a, float b, float* out,
                         std::int64_t n);

/// out[i] = a op b[i].
void binary_left_scalar(Isa isa, BinaryKind kind, float a, const float* b, float* out,
                        std::int64_t n);

/// Softmax over contiguous rows of f32: exp(x - max) / sum, summed in one fixed order.
class SoftmaxKernel {
public:
    explicit SoftmaxKernel(Isa isa);

    /// src, dst: [rows, n]; `dst` may be `src`.
    void run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const;

private:
    Isa isa_;
    std::unique_ptr<UnaryKernel> exp_;
};

}  // namespace rondo::cpu
