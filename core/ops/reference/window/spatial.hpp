// Windows over one to three spatial axes as ones over three, those that lack having extent 1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ops/window/convolutions.hpp"

namespace rondo::reference {

using Index3 = std::array<std::int64_t, 3>;
using Axes3 = std::array<ops::ConvolutionAxis, 3>;

inline Axes3 three_axes(const std::vector<ops::ConvolutionAxis>& axes) {
    constexpr ops::ConvolutionAxis kNoAxis{1, 1, 1};
    Axes3 result{kNoAxis, kNoAxis, kNoAxis};
    std::copy(axes.begin(), axes.end(), result.end() - static_cast<std::ptrdiff_t>(axes.size()));
    return result;
}

inline Index3 extents_of(const Axes3& axes, std::int64_t ops::ConvolutionAxis::*extent) {
    return {axes[0].*extent, axes[1].*extent, axes[2].*extent};
}

inline std::size_t place(const Index3& at, const Index3& extents) {
    return static_cast<std::size_t>((at[0] * extents[1] + at[1]) * extents[2] + at[2]);
}

inline std::size_t volume(const Index3& extents) {
    return static_cast<std::size_t>(extents[0] * extents[1] * extents[2]);
}

/// Calls f for each index, in row-major order.
template <typename F>
void for_each_index(const Index3& extents, F f) {
    for (std::int64_t i = 0; i < extents[0]; ++i) {
        for (std::int64_t j = 0; j < extents[1]; ++j) {
            for (std::int64_t k = 0; k < extents[2]; ++k) f(Index3{i, j, k});
        }
    }
}

/// The data that `tap` of a window meets at output `at`; false if it lies in the padding.
inline bool meets(const Axes3& axes, const Index3& at, const Index3& tap, Index3& input) {
    for (std::size_t i = 0; i < 3; ++i) {
        input[i] = at[i] * axes[i].stride + tap[i] * axes[i].dilation - axes[i].pad_begin;
        if (input[i] < 0 || input[i] >= axes[i].input) return false;
    }
    return true;
}

}  // namespace rondo::reference
