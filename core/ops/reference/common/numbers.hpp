// Runs one plain loop on floating tensors (in double) and on integers (in 64-bit words).
#pragma once

#include <vector>

#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/common/words.hpp"

namespace rondo::reference {

/// Calls `compute(a, b, result)` on vectors of double, or of std::uint64_t for integers, and writes
/// `result` (zeros before) to the output, rounded once or cut to its width.
template <typename Compute>
void compute_numbers(const Tensor& a, const Tensor& b, Tensor& output, Compute&& compute) {
    if (is_floating(output.element_type())) {
        std::vector<double> result(output.size());
        compute(to_doubles(a), to_doubles(b), result);
        from_doubles(result, output);
    } else {
        std::vector<std::uint64_t> result(output.size());
        compute(to_words(a), to_words(b), result);
        from_words(result, output);
    }
}

}  // namespace rondo::reference
