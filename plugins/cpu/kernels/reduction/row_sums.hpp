// The largest element and the sum of a row, in one fixed order whatever the width of registers is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace rondo::cpu {

/// How many partial results a row has.
inline constexpr int kRowLanes = 16;

template <typename T>
T row_max(const T* src, std::int64_t n) {
    T lanes[kRowLanes];
    std::fill_n(lanes, kRowLanes, -std::numeric_limits<T>::infinity());
    std::int64_t i = 0;
    for (; i + kRowLanes <= n; i += kRowLanes) {
        for (int j = 0; j < kRowLanes; ++j) {
            lanes[j] = src[i + j] > lanes[j] ? src[i + j] : lanes[j];
        }
    }
    for (int j = 0; i + j < n; ++j) lanes[j] = std::max(lanes[j], src[i + j]);
    return *std::max_element(lanes, lanes + kRowLanes);
}

/// Lane j sums the elements j, j + 16, ...; the lanes are added as a tree.
template <typename T>
class RowSum {
public:
    /// Adds elements behind those before. Only the last call may have a part of 16 elements.
    void add(const T* src, std::int64_t n) {
        std::int64_t i = 0;
        for (; i + kRowLanes <= n; i += kRowLanes) {
            for (int j = 0; j < kRowLanes; ++j) lanes_[j] += src[i + j];
        }
        for (int j = 0; i + j < n; ++j) lanes_[j] += src[i + j];
    }

    T total() const {
        T sums[kRowLanes];
        std::copy_n(lanes_, kRowLanes, sums);
        for (int width = kRowLanes / 2; width > 0; width /= 2) {
            for (int j = 0; j < width; ++j) sums[j] += sums[j + width];
        }
        return sums[0];
    }

private:
    T lanes_[kRowLanes] = {};
};

}  // namespace rondo::cpu
