// Which slices of a tensor tuples of indices name; moves them out of a tensor and into it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugins/cpu/kernels/indexing/element_places.hpp"
#include "plugins/cpu/kernels/indexing/scatter_loops.hpp"

namespace rondo::cpu {

/// data [batches, extents.., slice], indices [batches, tuples, places of a tuple]: a tuple has a
/// place for each of the extents, of which there is one or more.
struct SliceSizes {
    std::int64_t batches = 1;
    std::int64_t tuples = 1;
    std::vector<std::int64_t> extents;

    std::int64_t places() const { return static_cast<std::int64_t>(extents.size()); }
    std::int64_t count() const { return batches * tuples; }
};

/// Immutable.
class SlicePlaces {
public:
    SlicePlaces(SliceSizes sizes, ElementType indices);

    const SliceSizes& sizes() const { return sizes_; }
    std::optional<std::int64_t> find_bad(const void* indices) const {
        return reader_.find_bad(indices, sizes_.count() * sizes_.places(), sizes_.extents);
    }

    /// The number of the slice of tuple number `tuple`.
    std::int64_t read(const void* indices, std::int64_t tuple) const;

private:
    SliceSizes sizes_;
    IndexReader reader_;
};

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
