#include "plugins/cpu/kernels/movement/roll.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/movement/copy_bytes.hpp"

namespace rondo::cpu {
namespace {

struct RollWalk {
    const RollSizes& sizes;
    std::span<const std::int64_t> shifts;
    std::size_t last;  // the axis whose places are copied as blocks

    void copy(std::size_t axis, const char* from, char* to, std::int64_t begin,
              std::int64_t end) const {
        const std::int64_t shift = shifts[axis];
        // The places before `shift` hold the end of the axis, the others its start.
        copy_run(axis, from + (sizes.extents[axis] - shift) * sizes.steps[axis], to, begin,
                 std::min(end, shift));
        copy_run(axis, from - shift * sizes.steps[axis], to, std::max(begin, shift), end);
    }

    // `from`: what belongs at place 0.
    void copy_run(std::size_t axis, const char* from, char* to, std::int64_t begin,
                  std::int64_t end) const {
        const std::int64_t step = sizes.steps[axis];
        if (begin >= end) return;
        if (axis == last) {
            copy_bytes(to + begin * step, from + begin * step, (end - begin) * step);
            return;
        }
        for (std::int64_t place = begin; place < end; ++place) {
            copy(axis + 1, from + place * step, to + place * step, 0, sizes.extents[axis + 1]);
        }
    }
};

}  // namespace

void roll(const RollSizes& sizes, std::span<const std::int64_t> shifts, const void* data, void* out,
          std::int64_t begin, std::int64_t end) {
    std::size_t last = shifts.size() - 1;
    while (last > 0 && shifts[last] == 0) --last;
    RollWalk{sizes, shifts, last}.copy(0, static_cast<const char*>(data), static_cast<char*>(out),
                                       begin, end);
}

}  // namespace rondo::cpu
