#include "plugins/cpu/kernels/movement/strided_copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "plugins/cpu/kernels/movement/copy_bytes.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kTile = 16;                    // 16 x 16 floats: both sides stay in L1
constexpr std::int64_t kBytesWorthSharing = 1 << 18;  // a slice; below, waking threads costs more

struct At {
    const char* from;
    char* to;

    void move(const CopyAxis& axis, std::int64_t count = 1) {
        from += count * axis.steps[0];
        to += count * axis.steps[1];
    }
};

// The loops of a copy, outermost first, around blocks of bytes.
class Walk {
public:
    Walk(std::span<const CopyAxis> loops, std::int64_t block) : loops_(loops), block_(block) {}

    // The first `count` steps of the outermost loop.
    void run(At at, std::int64_t count) const { walk(0, count, at); }
    void run_all(At at) const { walk(0, loops_.empty() ? 1 : loops_.front().count, at); }

private:
    void walk(std::size_t loop, std::int64_t count, At at) const {
        const std::size_t left = loops_.size() - loop;
        if (left == 0) {
            std::memcpy(at.to, at.from, static_cast<std::size_t>(block_));
        } else if (left == 1) {
            copy_row(at, count);
        } else if (left == 2) {
            copy_tile(at, count);
        } else {
            for (std::int64_t i = 0; i < count; ++i, at.move(loops_[loop])) {
                walk(loop + 1, loops_[loop + 1].count, at);
            }
        }
    }

    void copy_row(At at, std::int64_t count) const {
        switch (block_) {
            case 1: return copy_row_of<std::uint8_t>(at, count);
            case 2: return copy_row_of<std::uint16_t>(at, count);
            case 4: return copy_row_of<std::uint32_t>(at, count);
            case 8: return copy_row_of<std::uint64_t>(at, count);
            default: break;
        }
        for (std::int64_t i = 0; i < count; ++i, at.move(loops_.back())) {
            copy_bytes(at.to, at.from, block_);
        }
    }

    // A size known at compile time makes a move of each memcpy().
    template <typename T>
    void copy_row_of(At at, std::int64_t count) const {
        const CopyAxis row = loops_.back();
        for (std::int64_t i = 0; i < count; ++i, at.move(row)) {
            std::memcpy(at.to, at.from, sizeof(T));
        }
    }

    void copy_tile(At at, std::int64_t count) const {
        switch (block_) {
            case 1: return copy_tile_of<std::uint8_t>(at, count);
            case 2: return copy_tile_of<std::uint16_t>(at, count);
            case 4: return copy_tile_of<std::uint32_t>(at, count);
            case 8: return copy_tile_of<std::uint64_t>(at, count);
            default: break;
        }
        for (std::int64_t i = 0; i < count; ++i, at.move(loops_[loops_.size() - 2])) {
            copy_row(at, loops_.back().count);
        }
    }

    template <typename T>
    void copy_tile_of(At at, std::int64_t count) const {
        const CopyAxis outer = loops_[loops_.size() - 2];
        const CopyAxis inner = loops_.back();
        for (std::int64_t i = 0; i < count; i += kTile) {
            const std::int64_t rows = std::min(kTile, count - i);
            At corner = at;
            for (std::int64_t j = 0; j < inner.count; j += kTile) {
                const std::int64_t columns = std::min(kTile, inner.count - j);
                At row = corner;
                for (std::int64_t r = 0; r < rows; ++r, row.move(outer)) {
                    copy_elements<T>(row, inner, columns);
                }
                corner.move(inner, kTile);
            }
            at.move(outer, kTile);
        }
    }

    template <typename T>
    static void copy_elements(At at, const CopyAxis& axis, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            T value;  // through memcpy: users' tensors may be unaligned
            std::memcpy(&value, at.from + i * axis.steps[0], sizeof(T));
            std::memcpy(at.to + i * axis.steps[1], &value, sizeof(T));
        }
    }

    std::span<const CopyAxis> loops_;
    std::int64_t block_;
};

// Merges the axes, takes an innermost run of bytes out as the block and returns how many loops are
// left in front.
std::size_t make_loops(std::span<CopyAxis> axes, std::int64_t& block) {
    std::size_t count = merge_axes(axes);
    if (count > 0 && axes[count - 1].steps == std::array<std::int64_t, 2>{block, block}) {
        block *= axes[--count].count;
    }
    if (count < 3) return count;
    // The axis that walks `from` in the smallest steps goes next to the innermost one, so that a
    // tile uses whole cache lines of both sides.
    const auto step = [](const CopyAxis& axis) {
        return axis.steps[0] == 0 ? INT64_MAX : std::abs(axis.steps[0]);
    };
    const auto inner = axes.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    const auto nearest =
        std::min_element(axes.begin(), inner,
                         [&](const CopyAxis& a, const CopyAxis& b) { return step(a) < step(b); });
    std::rotate(nearest, nearest + 1, inner);
    return count;
}

}  // namespace

StridedCopy::StridedCopy(const CopyLayout& layout) : block_(layout.element_size) {
    for (const std::int64_t extent : layout.extents) {
        if (extent == 0) return;
    }
    bytes_ = block_;
    for (std::size_t i = 0; i < layout.extents.size(); ++i) {
        loops_.push_back({layout.extents[i], {layout.from[i], layout.to[i]}});
        bytes_ *= layout.extents[i];
    }
    loops_.resize(make_loops(loops_, block_));
}

void StridedCopy::run(const void* from, void* to, Team& team) const {
    if (bytes_ == 0) return;
    const At at{static_cast<const char*>(from), static_cast<char*>(to)};
    const Walk walk(loops_, block_);
    if (loops_.empty() || bytes_ < 2 * kBytesWorthSharing) return walk.run_all(at);
    const CopyAxis& outer = loops_.front();
    const std::int64_t grain = kBytesWorthSharing / (bytes_ / outer.count) + 1;
    share(team, outer.count, grain, [&](std::int64_t begin, std::int64_t end) {
        At first = at;
        first.move(outer, begin);
        walk.run(first, end - begin);
    });
}

void copy_once(std::span<CopyAxis> axes, std::int64_t element_size, const void* from, void* to) {
    const std::size_t loops = make_loops(axes, element_size);
    const Walk walk(axes.first(loops), element_size);
    walk.run_all({static_cast<const char*>(from), static_cast<char*>(to)});
}

}  // namespace rondo::cpu
