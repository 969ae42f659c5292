// Reads indices of any integer type.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Immutable.
class IndexReader {
public:
    /// An integer type.
    explicit IndexReader(ElementType type);

    /// The place of the first of `count` indices that is out of range, or nothing. Index i belongs
    /// to an axis of extent extents[i % extents.size()]; negative ones count from its end.
    std::optional<std::int64_t> find_bad(const void* indices, std::int64_t count,
                                         std::span<const std::int64_t> extents) const {
        return find_bad_(indices, count, extents);
    }

    /// Writes the indices [first, first + count) as they are. A u64 above 2^63 must not be there.
    void load(const void* indices, std::int64_t first, std::int64_t count, std::int64_t* to) const {
        load_(indices, first, count, to);
    }

private:
    using FindBad = std::optional<std::int64_t> (*)(const void*, std::int64_t,
                                                    std::span<const std::int64_t>);
    using Load = void (*)(const void*, std::int64_t, std::int64_t, std::int64_t*);

    FindBad find_bad_;
    Load load_;
};

}  // namespace rondo::cpu
