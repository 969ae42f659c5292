// A half-open range of rows, blocks, panels or steps, and how one is split.
#pragma once

#include <cstdint>

namespace rondo::cpu {

/// [begin, end).
struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;

    std::int64_t size() const { return end - begin; }
    bool empty() const { return begin >= end; }
};

/// Slice `index` of `count` of [0, total): neighbours differ by one in size at most.
inline Range slice_of(std::int64_t total, std::int64_t index, std::int64_t count) {
    return {total * index / count, total * (index + 1) / count};
}

/// a / b, rounded up; b > 0.
inline std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace rondo::cpu
