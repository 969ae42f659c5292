// Copies an n-dimensional block from one layout to another: what Transpose, Slice, Broadcast,
// Concat and Split come down to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/support/nd_loop.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// A block of elements and how far neighbours along each axis lie apart on both sides, in bytes.
/// A stride of 0 on the `from` side repeats elements.
struct CopyLayout {
    std::int64_t element_size = 1;
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
};

/// An axis of a copy: bytes between neighbours on the `from` side, then on the `to` side.
using CopyAxis = NdAxis<2>;

/// Chooses the order of the loops once; run() only copies. Immutable.
class StridedCopy {
public:
    StridedCopy() = default;
    explicit StridedCopy(const CopyLayout& layout);

    /// `from` and `to` point to the first element and don't overlap. Shares large blocks among the
    /// team.
    void run(const void* from, void* to, Team& team) const;

    /// True where both sides are one run of bytes in the same order, so that a view would do.
    bool is_plain() const { return loops_.empty() && bytes_ > 0; }

private:
    std::vector<CopyAxis> loops_;  ///< outermost first; the last two are one tile
    std::int64_t block_ = 1;       ///< bytes that are contiguous on both sides
    std::int64_t bytes_ = 0;
};

/// The same copy for a layout that is only known when it runs: allocates nothing, one thread.
/// Reorders `axes`, whose extents must be above 0.
void copy_once(std::span<CopyAxis> axes, std::int64_t element_size, const void* from, void* to);

}  // namespace rondo::cpu
