// Softmax over rows.
#pragma once

#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/elementwise/elementwise.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// exp(x - max) / sum over rows, summed in one fixed order.
class SoftmaxKernel {
public:
    /// `exp`: the exponential function of `isa`, of the precision of the rows.
    SoftmaxKernel(Isa isa, std::unique_ptr<UnaryKernel> exp);

    /// src, dst: [rows, n], n > 0; `dst` may be `src`.
    void run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const;
    void run(const double* src, double* dst, std::int64_t rows, std::int64_t n) const;

private:
    Isa isa_;
    std::unique_ptr<UnaryKernel> exp_;
};

/// Softmax along the middle axis of [outer, n, inner]. T: float or double. Immutable.
template <typename T>
class SoftmaxLines {
public:
    /// The kernel must outlive this.
    SoftmaxLines(const SoftmaxKernel& kernel, std::int64_t n, std::int64_t inner)
        : kernel_(kernel), n_(n), inner_(inner) {}

    /// Elements of scratch that a thread needs.
    std::int64_t scratch_elements() const { return inner_ == 1 ? 0 : kLines * n_; }

    /// The lines [begin, end) of the outer * inner ones.
    void run(const T* src, T* dst, std::int64_t begin, std::int64_t end, T* scratch) const;

private:
    static constexpr std::int64_t kLines = 16;  // that lie side by side: at most a cache line or two

    const SoftmaxKernel& kernel_;
    std::int64_t n_;
    std::int64_t inner_;
};

}  // namespace rondo::cpu
