#include "plugins/cpu/nodes/common/strided_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace rondo::cpu {
namespace {

constexpr std::size_t kTile = 16;                    // 16 x 16 floats: both sides stay in L1
constexpr std::size_t kBytesWorthSharing = 1 << 19;  // below, waking threads costs more

}  // namespace

Strides dense_strides(const Shape& shape, std::size_t element_size) {
    Strides strides(shape.size());
    auto stride = static_cast<std::ptrdiff_t>(element_size);
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= static_cast<std::ptrdiff_t>(shape[i]);
    }
    return strides;
}

StridedCopy::StridedCopy(const CopyLayout& layout) : block_(layout.element_size) {
    bytes_ = layout.element_size * element_count(layout.extents);
    empty_ = bytes_ == 0;
    if (empty_) return;
    drop_and_merge(layout);
    order_loops();
}

// Axes of extent 1 vanish, neighbours that are one run on both sides become one axis, and an
// innermost run becomes the block.
void StridedCopy::drop_and_merge(const CopyLayout& layout) {
    for (std::size_t i = 0; i < layout.extents.size(); ++i) {
        if (layout.extents[i] == 1) continue;
        const Loop loop{layout.extents[i], layout.from[i], layout.to[i]};
        const auto count = static_cast<std::ptrdiff_t>(loop.count);
        if (!loops_.empty() && loops_.back().from == loop.from * count &&
            loops_.back().to == loop.to * count) {
            loops_.back() = {loops_.back().count * loop.count, loop.from, loop.to};
        } else {
            loops_.push_back(loop);
        }
    }
    const auto size = static_cast<std::ptrdiff_t>(block_);
    if (!loops_.empty() && loops_.back().from == size && loops_.back().to == size) {
        block_ *= loops_.back().count;
        loops_.pop_back();
    }
}

// The axis that walks `from` in the smallest steps goes next to the innermost one, so that a tile
// uses whole cache lines of both sides.
void StridedCopy::order_loops() {
    if (loops_.size() < 3) return;
    const auto step = [](const Loop& loop) {
        return loop.from == 0 ? PTRDIFF_MAX : std::abs(loop.from);
    };
    const auto inner = loops_.end() - 1;
    const auto nearest = std::min_element(
        loops_.begin(), inner, [&](const Loop& a, const Loop& b) { return step(a) < step(b); });
    std::rotate(nearest, nearest + 1, inner);
}

void StridedCopy::run(const void* from, void* to, Team& team) const {
    if (empty_) return;
    const At at{static_cast<const char*>(from), static_cast<char*>(to)};
    const std::size_t threads = static_cast<std::size_t>(team.size());
    if (loops_.size() < 3 || threads == 1 || bytes_ < kBytesWorthSharing) return walk(0, at);
    const Loop& outer = loops_.front();
    const std::size_t slices = std::min(threads, outer.count);
    team.run(static_cast<int>(slices), [&](int slice) {
        const auto index = static_cast<std::size_t>(slice);
        for (std::size_t i = outer.count * index / slices; i < outer.count * (index + 1) / slices;
             ++i) {
            const auto step = static_cast<std::ptrdiff_t>(i);
            walk(1, {at.from + step * outer.from, at.to + step * outer.to});
        }
    });
}

void StridedCopy::walk(std::size_t loop, At at) const {
    const std::size_t left = loops_.size() - loop;
    if (left == 0) {
        std::memcpy(at.to, at.from, block_);
    } else if (left == 1) {
        copy_row(at);
    } else if (left == 2) {
        copy_tile(at);
    } else {
        for (std::size_t i = 0; i < loops_[loop].count; ++i) {
            walk(loop + 1, at);
            at.from += loops_[loop].from;
            at.to += loops_[loop].to;
        }
    }
}

void StridedCopy::copy_row(At at) const {
    switch (block_) {
        case 1: return copy_row_of<std::uint8_t>(at);
        case 2: return copy_row_of<std::uint16_t>(at);
        case 4: return copy_row_of<std::uint32_t>(at);
        case 8: return copy_row_of<std::uint64_t>(at);
        default: break;
    }
    const Loop& row = loops_.back();
    for (std::size_t i = 0; i < row.count; ++i) {
        std::memcpy(at.to, at.from, block_);
        at.from += row.from;
        at.to += row.to;
    }
}

// A size known at compile time makes a move of each memcpy().
template <typename T>
void StridedCopy::copy_row_of(At at) const {
    const Loop& row = loops_.back();
    for (std::size_t i = 0; i < row.count; ++i) {
        std::memcpy(at.to, at.from, sizeof(T));
        at.from += row.from;
        at.to += row.to;
    }
}

void StridedCopy::copy_tile(At at) const {
    switch (block_) {
        case 1: return copy_tile_of<std::uint8_t>(at);
        case 2: return copy_tile_of<std::uint16_t>(at);
        case 4: return copy_tile_of<std::uint32_t>(at);
        case 8: return copy_tile_of<std::uint64_t>(at);
        default: break;
    }
    const Loop& outer = loops_[loops_.size() - 2];
    for (std::size_t i = 0; i < outer.count; ++i) {
        copy_row(at);
        at.from += outer.from;
        at.to += outer.to;
    }
}

template <typename T>
void StridedCopy::copy_tile_of(At at) const {
    const Loop& outer = loops_[loops_.size() - 2];
    const Loop& inner = loops_.back();
    for (std::size_t i0 = 0; i0 < outer.count; i0 += kTile) {
        const std::size_t i1 = std::min(i0 + kTile, outer.count);
        for (std::size_t j0 = 0; j0 < inner.count; j0 += kTile) {
            const std::size_t j1 = std::min(j0 + kTile, inner.count);
            for (std::size_t i = i0; i < i1; ++i) {
                const auto row = static_cast<std::ptrdiff_t>(i);
                for (std::size_t j = j0; j < j1; ++j) {
                    const auto column = static_cast<std::ptrdiff_t>(j);
                    T value;  // through memcpy: users' tensors may be unaligned
                    std::memcpy(&value, at.from + row * outer.from + column * inner.from,
                                sizeof(T));
                    std::memcpy(at.to + row * outer.to + column * inner.to, &value, sizeof(T));
                }
            }
        }
    }
}

}  // namespace rondo::cpu
