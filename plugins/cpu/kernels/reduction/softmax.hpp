// Softmax over rows.
#pragma once

#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/elementwise/elementwise.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// Softmax over contiguous rows of f32: exp(x - max) / sum, summed in one fixed order.
class SoftmaxKernel {
public:
    /// `exp`: the exponential function of `isa` in f32.
    SoftmaxKernel(Isa isa, std::unique_ptr<UnaryKernel> exp);

    /// src, dst: [rows, n]; `dst` may be `src`.
    void run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const;

private:
    Isa isa_;
    std::unique_ptr<UnaryKernel> exp_;
};

}  // namespace rondo::cpu
