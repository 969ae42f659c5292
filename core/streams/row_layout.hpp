// Where one row of a tensor lies: rows of a batch are cut out of it, and put together to one; and
// copies of boxes of elements from one tensor to another.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

#include "rondo/element_type.hpp"
#include "rondo/shape.hpp"

namespace rondo {

/// A row is a stream's part of a batch: one element along the row axis, or as many for each stream.
/// Without a row axis, the whole tensor is the row.
struct RowLayout {
    std::size_t pieces = 1;  ///< parts of a row that are contiguous in a batch
    std::size_t bytes = 0;   ///< of each piece

    /// `shape`: of a row.
    RowLayout(ElementType type, const Shape& shape, std::optional<std::size_t> axis) {
        bytes = size_of(type);
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (axis && i < *axis) pieces *= shape[i];
            if (!axis || i >= *axis) bytes *= shape[i];
        }
    }

    std::size_t row_bytes() const { return pieces * bytes; }

    /// Copies a row to place `at` of a batch of `rows`.
    void put(const void* row, void* batch, std::size_t rows, std::size_t at) const {
        const auto* from = static_cast<const char*>(row);
        char* to = static_cast<char*>(batch) + at * bytes;
        for (std::size_t i = 0; i < pieces; ++i) {
            std::memcpy(to + i * rows * bytes, from + i * bytes, bytes);
        }
    }

    /// Copies row `at` out of a batch of `rows`.
    void take(const void* batch, std::size_t rows, std::size_t at, void* row) const {
        const char* from = static_cast<const char*>(batch) + at * bytes;
        auto* to = static_cast<char*>(row);
        for (std::size_t i = 0; i < pieces; ++i) {
            std::memcpy(to + i * bytes, from + i * rows * bytes, bytes);
        }
    }

    /// Row `at` of a batch of `rows` becomes zeros.
    void clear(void* batch, std::size_t rows, std::size_t at) const {
        char* to = static_cast<char*>(batch) + at * bytes;
        for (std::size_t i = 0; i < pieces; ++i) std::memset(to + i * rows * bytes, 0, bytes);
    }
};

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
