// Copies blocks that a tensor of indices names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// data [batches, rows, extent, block], indices [batches, count] -> [batches, rows, count, block].
struct GatherSizes {
    std::int64_t batches = 1;
    std::int64_t rows = 1;
    std::int64_t extent = 1;
    std::int64_t count = 1;
    std::int64_t block = 1;  ///< bytes

    /// Blocks of the output.
    std::int64_t blocks() const { return batches * rows * count; }
};

/// `out` overlaps neither of the others.
struct GatherArgs {
    const void* data = nullptr;
    const void* indices = nullptr;
    void* out = nullptr;
};

/// Indices below 0 count from the end. Immutable.
class Gather {
public:
    /// `indices`: an integer type.
    Gather(const GatherSizes& sizes, ElementType indices);

    const GatherSizes& sizes() const { return sizes_; }

    /// The place of the first index that names no block, or nothing. run() must not see such an
    /// index.
    std::optional<std::int64_t> find_bad_index(const void* indices) const {
        return find_bad_(sizes_, indices);
    }

    /// Writes the blocks [begin, end) of the output.
    void run(const GatherArgs& args, std::int64_t begin, std::int64_t end) const {
        run_(sizes_, args, begin, end);
    }

private:
    using FindBad = std::optional<std::int64_t> (*)(const GatherSizes&, const void*);
    using Run = void (*)(const GatherSizes&, const GatherArgs&, std::int64_t, std::int64_t);

    GatherSizes sizes_;
    FindBad find_bad_;
    Run run_;
};

}  // namespace rondo::cpu
