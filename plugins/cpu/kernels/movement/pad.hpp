// Copies a block of elements into a larger one and fills the places around them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ops/movement/pad_range.hpp"

namespace rondo::cpu {

/// `value` is one element, which only the constant mode reads. `out` overlaps neither of the
/// others.
struct PadArgs {
    const void* data = nullptr;
    const void* value = nullptr;
    void* out = nullptr;
};

/// An axis of the data, and what becomes of it.
struct PadAxis {
    std::int64_t extent = 1;
    ops::PadRange range{ops::PadMode::constant, 1, 0, 0};
};

/// Immutable.
class Pad {
public:
    /// `axes`: one or more, outermost first; `element`: bytes. Axes that stay as they are join
    /// their neighbours.
    Pad(ops::PadMode mode, const std::vector<PadAxis>& axes, std::int64_t element);

    /// Places of the outermost axis of the output, and the bytes of each.
    std::int64_t places() const { return axes_.front().range.length; }
    std::int64_t place_bytes() const { return axes_.front().to_step; }

    /// Writes the places [begin, end) of the outermost axis.
    void run(const PadArgs& args, std::int64_t begin, std::int64_t end) const;

private:
    struct Axis {
        ops::PadRange range{ops::PadMode::constant, 1, 0, 0};
        std::int64_t from_step = 0;  // bytes between neighbours
        std::int64_t to_step = 0;
        std::vector<std::int64_t> sources;  // in bytes, of each place of the border
    };
    struct At {
        const char* from;
        char* to;
    };

    void walk(std::size_t axis, At at, std::int64_t begin, std::int64_t end,
              const void* value) const;
    void write_border(std::size_t axis, At at, std::int64_t begin, std::int64_t end,
                      const void* value) const;

    ops::PadMode mode_;
    std::int64_t element_;
    std::vector<Axis> axes_;
};

}  // namespace rondo::cpu
