// Normalises rows to mean 0 and variance 1.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"

namespace rondo::cpu {

struct NormalizeConfig {
    double eps = 0;
    bool eps_inside_sqrt = true;
    bool variance = true;  ///< else only the mean becomes 0
};

/// (x - mean) * (1 / sqrt(variance + eps)) over rows, summed in one fixed order.
class NormalizeKernel {
public:
    /// The program that it runs, (x - mean) * factor; the second and third input repeat.
    static ElementwiseProgram scaled(Precision precision);

    /// A kernel of that program, of the precision of the rows.
    NormalizeKernel(std::shared_ptr<const ElementwiseKernel> kernel, const NormalizeConfig& config)
        : kernel_(std::move(kernel)), config_(config) {}

    /// src, dst: [rows, n], n > 0; `dst` may be `src`.
    void run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const;
    void run(const double* src, double* dst, std::int64_t rows, std::int64_t n) const;

private:
    template <typename T>
    void run_rows(const T* src, T* dst, std::int64_t rows, std::int64_t n) const;

    std::shared_ptr<const ElementwiseKernel> kernel_;
    NormalizeConfig config_;
};

}  // namespace rondo::cpu
