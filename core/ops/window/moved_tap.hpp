// Which elements a tap between those of the data is made of, along one axis.
#pragma once

#include <cmath>
#include <cstdint>

namespace rondo::ops {

/// The elements around a place on one axis, and their weights; both 0 outside.
struct MovedTap {
    std::int64_t low = 0, high = 0;
    double low_weight = 0, high_weight = 0;
};

inline MovedTap moved_tap(double place, std::int64_t extent, bool pads_by_zero) {
    const auto end = static_cast<double>(extent);
    const bool is_near = pads_by_zero ? place > -1 && place < end : place >= 0 && place < end;
    if (!is_near) return {};
    const double below = std::floor(place);
    const double rest = place - below;
    const auto low = static_cast<std::int64_t>(below);
    if (low < 0) return {0, 0, rest, 0};
    if (low + 1 < extent) return {low, low + 1, 1 - rest, rest};
    return {low, low, pads_by_zero ? 1 - rest : 1, 0};
}

}  // namespace rondo::ops
