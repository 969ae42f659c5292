// Copies a box of elements from one tensor to another.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "rondo/shape.hpp"

namespace rondo {

inline constexpr std::size_t kMostBoxAxes = 8;
/// Where a box begins along each axis of a tensor.
using BoxPlace = std::array<std::size_t, kMostBoxAxes>;

/// A row-major tensor of at most kMostBoxAxes axes, and where the box begins in it.
template <typename Byte>
struct BoxSide {
    Byte* data;
    const Shape& shape;
    const BoxPlace& place;
};

/// `box`: the extents to copy, at least one; `bytes` of an element. Allocates nothing.
inline void copy_box(BoxSide<const char> from, BoxSide<char> to, const Shape& box,
                     std::size_t bytes, std::size_t axis = 0) {
    if (axis == box.size()) {
        std::memcpy(to.data, from.data, bytes);
        return;
    }
    std::size_t from_step = bytes;
    std::size_t to_step = bytes;
    for (std::size_t i = axis + 1; i < box.size(); ++i) {
        from_step *= from.shape[i];
        to_step *= to.shape[i];
    }
    from.data += from.place[axis] * from_step;
    to.data += to.place[axis] * to_step;
    if (axis + 1 == box.size()) {
        std::memcpy(to.data, from.data, box[axis] * bytes);
        return;
    }
    for (std::size_t i = 0; i < box[axis]; ++i) {
        copy_box({from.data + i * from_step, from.shape, from.place},
                 {to.data + i * to_step, to.shape, to.place}, box, bytes, axis + 1);
    }
}

}  // namespace rondo
