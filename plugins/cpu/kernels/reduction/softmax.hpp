// Softmax, and its logarithm, of rows.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"

namespace rondo::cpu {

/// Each element of a row may depend on all of that row. Immutable.
class RowKernel {
public:
    virtual ~RowKernel() = default;

    /// src, dst: [rows, n], n > 0; `dst` may be `src`.
    virtual void run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const = 0;
    virtual void run(const double* src, double* dst, std::int64_t rows, std::int64_t n) const = 0;
};

/// exp(x - max) / sum over rows, summed in one fixed order.
class SoftmaxKernel final : public RowKernel {
public:
    /// The programs that it runs; their second input repeats.
    static ElementwiseProgram exponential(Precision precision);  ///< exp(x - max)
    static ElementwiseProgram quotient(Precision precision);     ///< x / sum

    /// Kernels of these programs, of the precision of the rows.
    SoftmaxKernel(std::shared_ptr<const ElementwiseKernel> exponential,
                  std::shared_ptr<const ElementwiseKernel> quotient)
        : exponential_(std::move(exponential)), quotient_(std::move(quotient)) {}

    void run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const override;
    void run(const double* src, double* dst, std::int64_t rows, std::int64_t n) const override;

private:
    template <typename T>
    void run_rows(const T* src, T* dst, std::int64_t rows, std::int64_t n) const;

    std::shared_ptr<const ElementwiseKernel> exponential_;
    std::shared_ptr<const ElementwiseKernel> quotient_;
};

/// A kernel of rows along the middle axis of [outer, n, inner]. T: float or double. Immutable.
template <typename T>
class SoftmaxLines {
public:
    /// The kernel must outlive this.
    SoftmaxLines(const RowKernel& kernel, std::int64_t n, std::int64_t inner)
        : kernel_(kernel), n_(n), inner_(inner) {}

    /// Elements of scratch that a thread needs.
    std::int64_t scratch_elements() const { return inner_ == 1 ? 0 : kLines * n_; }

    /// The lines [begin, end) of the outer * inner ones.
    void run(const T* src, T* dst, std::int64_t begin, std::int64_t end, T* scratch) const;

private:
    static constexpr std::int64_t kLines =
        16;  // that lie side by side: at most a cache line or two

    const RowKernel& kernel_;
    std::int64_t n_;
    std::int64_t inner_;
};

// The logarithm of softmax over rows.

/// (x - max) - log(sum(exp(x - max))) over rows, summed in one fixed order.
class LogSoftmaxKernel final : public RowKernel {
public:
    /// The programs that it runs, besides SoftmaxKernel::exponential().
    static ElementwiseProgram logarithm(Precision precision);   ///< log(x)
    static ElementwiseProgram difference(Precision precision);  ///< x - a - b; a and b repeat

    using Program = std::shared_ptr<const ElementwiseKernel>;
    /// Kernels of these programs, of the precision of the rows.
    LogSoftmaxKernel(Program exponential, Program logarithm, Program difference)
        : exponential_(std::move(exponential)),
          logarithm_(std::move(logarithm)),
          difference_(std::move(difference)) {}

    void run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const override;
    void run(const double* src, double* dst, std::int64_t rows, std::int64_t n) const override;

private:
    template <typename T>
    void run_rows(const T* src, T* dst, std::int64_t rows, std::int64_t n) const;
    template <typename T>
    T log_of_sum(const T* src, std::int64_t n, T largest) const;

    Program exponential_;
    Program logarithm_;
    Program difference_;
};

}  // namespace rondo::cpu
