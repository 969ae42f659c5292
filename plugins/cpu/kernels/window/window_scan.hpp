// Visits what a sliding window covers, element by element: for windows of any size.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/windows.hpp"

namespace rondo::cpu {

/// Taps of output `at` that meet the data: their inputs are first, first + dilation and so on.
struct CoveredTaps {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

inline CoveredTaps covered_taps(const WindowAxis& axis, std::int64_t at) {
    const std::int64_t begin = at * axis.stride - axis.pad_begin;
    const std::int64_t skipped = begin >= 0 ? 0 : divide_up(-begin, axis.dilation);
    const std::int64_t first = begin + skipped * axis.dilation;
    if (first >= axis.input) return {};
    const std::int64_t fitting = divide_up(axis.input - first, axis.dilation);
    return {first, std::max<std::int64_t>(0, std::min(fitting, axis.kernel - skipped))};
}

/// Calls visit(place) for each element of a plane that the window of output number `output` covers,
/// in row-major order.
template <typename Visit>
void for_each_covered(const std::array<WindowAxis, 3>& axes, std::int64_t output, Visit visit) {
    const auto& [z, y, x] = axes;
    const CoveredTaps in_x = covered_taps(x, output % x.output);
    const CoveredTaps in_y = covered_taps(y, output / x.output % y.output);
    const CoveredTaps in_z = covered_taps(z, output / x.output / y.output);
    for (std::int64_t i = 0; i < in_z.count; ++i) {
        for (std::int64_t j = 0; j < in_y.count; ++j) {
            const std::int64_t row =
                (in_z.first + i * z.dilation) * y.input + in_y.first + j * y.dilation;
            std::int64_t place = row * x.input + in_x.first;
            for (std::int64_t k = 0; k < in_x.count; ++k, place += x.dilation) visit(place);
        }
    }
}

}  // namespace rondo::cpu
