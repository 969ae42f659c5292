// Runs an elementwise program over arrays.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/elementwise/program.hpp"

namespace rondo::cpu {

/// A run of elements that are contiguous in the output.
struct ElementwiseRun {
    const void* inputs[ElementwiseProgram::kMostInputs] = {};
    /// True if an input is one element for the whole run.
    bool repeats[ElementwiseProgram::kMostInputs] = {};
    void* output = nullptr;
    std::int64_t count = 0;
};

/// The same bits from every variant. Immutable, usable from many threads, independent of sizes.
class ElementwiseKernel {
public:
    virtual ~ElementwiseKernel() = default;

    /// The output may be an input that doesn't repeat, but may not overlap one otherwise.
    virtual void run(const ElementwiseRun& run) const = 0;
};

}  // namespace rondo::cpu
