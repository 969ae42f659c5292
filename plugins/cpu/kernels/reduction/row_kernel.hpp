// Kernels that make a new row of each row.
#pragma once

#include <cstdint>

namespace rondo::cpu {

/// Each element of a row may depend on all of that row. Immutable.
class RowKernel {
public:
    virtual ~RowKernel() = default;

    /// src, dst: [rows, n], n > 0; `dst` may be `src`.
    virtual void run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const = 0;
    virtual void run(const double* src, double* dst, std::int64_t rows, std::int64_t n) const = 0;
};

}  // namespace rondo::cpu
