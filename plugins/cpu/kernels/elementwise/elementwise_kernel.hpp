// Runs an elementwise program over arrays.
#pragma once

#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/elementwise/program.hpp"

namespace rondo::cpu {

/// Rows of elements; the rows of the output are contiguous and follow on each other.
struct ElementwiseRun {
    const void* inputs[ElementwiseProgram::kMostInputs] = {};
    /// True if an input is one element for a whole row.
    bool repeats[ElementwiseProgram::kMostInputs] = {};
    void* output = nullptr;
    std::int64_t count = 0;  ///< of a row
    std::int64_t rows = 1;   ///< above 0
    /// Bytes from the first element of a row to that of the next one; 0 if all rows are the same.
    std::int64_t row_steps[ElementwiseProgram::kMostInputs] = {};
};

/// The same bits from every variant. Immutable, usable from many threads, independent of sizes.
class ElementwiseKernel {
public:
    virtual ~ElementwiseKernel() = default;

    /// The output may be an input that doesn't repeat, but may not overlap one otherwise.
    virtual void run(const ElementwiseRun& run) const = 0;
};

std::unique_ptr<ElementwiseKernel> make_plain_elementwise(const ElementwiseProgram& program);

}  // namespace rondo::cpu
