// Reads indices of any integer type.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/support/nd_loop.hpp"
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

/// data and indices have the same rank, 1 or more.
struct ElementSizes {
    std::vector<std::int64_t> data;
    std::vector<std::int64_t> indices;
    std::size_t axis = 0;
};

/// Immutable.
class ElementPlaces {
public:
    ElementPlaces(const ElementSizes& sizes, ElementType indices);

    using Loop = NdLoop<2>;
    /// Runs of indices in their order. Operand 0 is the data without its axis, operand 1 the
    /// indices.
    const Loop& loop() const { return loop_; }
    /// True where different values of the outermost axis of the loop never name the same element.
    bool is_split_by_outermost() const;

    std::int64_t extent() const { return extent_; }
    std::optional<std::int64_t> find_bad(const void* indices) const {
        return reader_.find_bad(indices, loop_.size(), std::span(&extent_, 1));
    }

    /// Calls f(places, first, count) for chunks of the indices [begin, end) of the run that starts
    /// at `at`: the numbers of the data's elements that indices number `first` and on name.
    template <typename F>
    void for_each_chunk(const void* indices, const Loop::Offsets& at, std::int64_t begin,
                        std::int64_t end, F&& f) const {
        std::int64_t places[kChunk];
        for (std::int64_t i = begin; i < end; i += kChunk) {
            const std::int64_t some = std::min(kChunk, end - i);
            read(indices, at, i, some, places);
            f(places, at[1] + i, some);
        }
    }
    /// The same for all indices of the runs [begin, end).
    template <typename F>
    void for_each_chunk(const void* indices, std::int64_t begin, std::int64_t end, F&& f) const {
        loop_.for_each_run(begin, end, [&](const Loop::Offsets& at) {
            for_each_chunk(indices, at, 0, loop_.run().count, f);
        });
    }

private:
    static constexpr std::int64_t kChunk = 256;  // places on the stack

    void read(const void* indices, const Loop::Offsets& at, std::int64_t first, std::int64_t count,
              std::int64_t* places) const;

    std::int64_t extent_;  // of the axis in the data
    std::int64_t step_;    // elements between neighbours along it
    Loop loop_;
    IndexReader reader_;
};

}  // namespace rondo::cpu
