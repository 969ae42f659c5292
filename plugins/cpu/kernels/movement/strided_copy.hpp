// Copies an n-dimensional block from one layout to another: what Transpose, Slice, Broadcast,
// Concat and Split come down to.
#pragma once

#include <cstddef>

#include "plugins/cpu/kernels/threads/team.hpp"
#include "rondo/shape.hpp"
#include "rondo/tensor.hpp"

namespace rondo::cpu {

/// A block of elements and how far neighbours along each axis lie apart on both sides, in bytes.
/// A stride of 0 on the `from` side repeats elements.
struct CopyLayout {
    std::size_t element_size = 1;
    Shape extents;
    Strides from;
    Strides to;
};

/// Row-major strides in bytes.
Strides dense_strides(const Shape& shape, std::size_t element_size);

/// Settles the order of the loops once; run() only copies. Immutable.
class StridedCopy {
public:
    StridedCopy() = default;
    explicit StridedCopy(const CopyLayout& layout);

    /// `from` and `to` point to the first element and don't overlap. Shares large blocks among the
    /// team.
    void run(const void* from, void* to, Team& team) const;

    /// True where both sides are one run of bytes in the same order, so that a view would do.
    bool is_plain() const { return loops_.empty() && !empty_; }

private:
    struct Loop {
        std::size_t count;
        std::ptrdiff_t from;
        std::ptrdiff_t to;
    };
    struct At {
        const char* from;
        char* to;
    };
    void drop_and_merge(const CopyLayout& layout);
    void order_loops();
    void walk(std::size_t loop, At at) const;
    void copy_row(At at) const;
    void copy_tile(At at) const;
    template <typename T>
    void copy_row_of(At at) const;
    template <typename T>
    void copy_tile_of(At at) const;

    std::vector<Loop> loops_;  ///< outermost first; the last two are one tile
    std::size_t block_ = 1;    ///< bytes that are contiguous on both sides
    std::size_t bytes_ = 0;
    bool empty_ = true;
};

}  // namespace rondo::cpu
