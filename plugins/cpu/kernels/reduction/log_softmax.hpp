// The logarithm of softmax over rows.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"
#include "plugins/cpu/kernels/reduction/row_kernel.hpp"

namespace rondo::cpu {

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
