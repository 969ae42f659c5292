// The two loops that the calibrator times: multiply-adds in registers, and reading memory.
#pragma once

#include <cstdint>

namespace rondo::tool {

/// The vector instructions that a loop uses; `avx2` implies FMA.
enum class VectorSet { plain, avx2, avx512 };

struct CalibrationKernels {
    /// Does `loops` rounds of independent multiply-adds, enough of them to hide their latency.
    /// Returns what depends on all of them.
    float (*multiply_add)(std::int64_t loops);
    double flops_per_loop;

    /// Reads `count` floats `passes` times and returns what depends on all of them. `count` is a
    /// multiple of kReadBlock.
    float (*read)(const float* data, std::int64_t count, std::int64_t passes);
};

constexpr std::int64_t kReadBlock = 256;  ///< floats; reads are unrolled over at most this many

/// The loops as an instruction set allows them. The CPU must have it.
CalibrationKernels calibration_kernels(VectorSet set);

}  // namespace rondo::tool
