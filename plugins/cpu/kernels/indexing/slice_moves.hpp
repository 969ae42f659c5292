// Moves slices that tuples of indices name, out of a tensor and into it.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/indexing/scatter_loops.hpp"
#include "plugins/cpu/kernels/indexing/slice_places.hpp"

namespace rondo::cpu {

struct GatherSlicesArgs {
    const void* data = nullptr;
    const void* indices = nullptr;
    void* out = nullptr;  ///< overlaps neither of the others
};

/// Writes the slices of the tuples [begin, end); `slice`: bytes of one. All indices must be in
/// range.
void gather_slices(const SlicePlaces& places, std::int64_t slice, const GatherSlicesArgs& args,
                   std::int64_t begin, std::int64_t end);

struct ScatterSlicesArgs {
    void* out = nullptr;  ///< holds the data, and overlaps neither of the others
    const void* indices = nullptr;
    const void* updates = nullptr;
};

/// Elements of a slice, and bytes of an element.
struct SliceElements {
    std::int64_t count = 1;
    std::int64_t bytes = 1;
};

/// All tuples' updates meet elements [begin, end) of their slices. All indices must be in range.
void scatter_slices(const SlicePlaces& places, const SliceElements& slice,
                    const ScatterLoops& loops, const ScatterSlicesArgs& args, std::int64_t begin,
                    std::int64_t end);

}  // namespace rondo::cpu
