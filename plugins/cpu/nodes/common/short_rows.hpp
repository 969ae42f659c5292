// Runs an elementwise program over rows of few elements as over one long row.
#pragma once

#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"

namespace rondo::cpu {

/// Whether there are rows enough, each too short to fill vectors, to be worth it.
bool suits_short_rows(const ElementwiseRun& run);

/// As kernel.run(run): a part of the rows at a time. What a row repeats is written out first.
void run_short_rows(const ElementwiseKernel& kernel, const ElementwiseProgram& program,
                    const ElementwiseRun& run);

}  // namespace rondo::cpu
