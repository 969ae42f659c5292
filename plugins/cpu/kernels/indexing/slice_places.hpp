// Which slices of a tensor tuples of indices name.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugins/cpu/kernels/indexing/index_reader.hpp"

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

}  // namespace rondo::cpu
