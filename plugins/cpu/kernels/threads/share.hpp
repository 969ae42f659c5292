// A half-open range of rows, blocks, panels or steps, and how one is split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

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

// Shares a range of items among a team where that pays.

/// Calls body(begin, end, slice) for pieces that cover [0, count), each of `grain` items or more.
/// Slices are numbered from 0 and are at most team.size().
template <typename Body>
void share_slices(Team& team, std::int64_t count, std::int64_t grain, Body&& body) {
    const std::int64_t most = count / std::max<std::int64_t>(grain, 1);
    const std::int64_t slices = std::min<std::int64_t>(team.size(), most);
    if (slices < 2) {
        if (count > 0) body(std::int64_t{0}, count, 0);
        return;
    }
    team.run(static_cast<int>(slices),
             [&](int slice) { body(count * slice / slices, count * (slice + 1) / slices, slice); });
}

/// Calls body(begin, end) for such pieces.
template <typename Body>
void share(Team& team, std::int64_t count, std::int64_t grain, Body&& body) {
    share_slices(team, count, grain,
                 [&](std::int64_t begin, std::int64_t end, int) { body(begin, end); });
}

/// Scratch memory with a slice for each thread, on cache lines of its own.
class SliceScratch {
public:
    SliceScratch(std::size_t bytes_of_slice, std::int64_t slices)
        : bytes_(whole_lines(bytes_of_slice)), count_(std::max<std::int64_t>(slices, 1)) {}

    std::int64_t count() const { return count_; }
    std::size_t bytes() const { return bytes_ * static_cast<std::size_t>(count_); }
    /// `scratch`: where the slices begin.
    std::byte* slice(void* scratch, std::int64_t number) const {
        return static_cast<std::byte*>(scratch) + bytes_ * static_cast<std::size_t>(number);
    }
    /// As share_slices(), with at most as many slices as there are: body(begin, end, memory).
    template <typename Body>
    void share(Team& team, std::int64_t count, std::int64_t grain, void* scratch,
               Body&& body) const {
        const std::int64_t slices =
            std::min<std::int64_t>(count / std::max<std::int64_t>(grain, 1), count_);
        if (slices < 2) {
            if (count > 0) body(std::int64_t{0}, count, slice(scratch, 0));
            return;
        }
        team.run(static_cast<int>(slices), [&](int number) {
            body(count * number / slices, count * (number + 1) / slices, slice(scratch, number));
        });
    }

private:
    std::size_t bytes_;
    std::int64_t count_;
};

}  // namespace rondo::cpu
