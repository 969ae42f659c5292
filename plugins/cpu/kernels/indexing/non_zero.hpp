// Finds the elements that aren't 0.
#pragma once

#include <cstdint>
#include <span>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Immutable.
class NonZero {
public:
    /// `type`: of the data; `output`: i64 or i32.
    NonZero(ElementType type, ElementType output);

    /// How many of `n` elements aren't 0.
    std::int64_t count(const void* data, std::int64_t n) const { return count_(data, n); }

    /// Writes out [rank, count]: the place along each axis of each of the `count` elements found in
    /// data of these extents. `places`: scratch, one an axis.
    void write(const void* data, std::span<const std::int64_t> extents, std::int64_t count,
               std::int64_t* places, void* out) const {
        write_({data, extents, count, places, out});
    }

private:
    struct Write {
        const void* data;
        std::span<const std::int64_t> extents;
        std::int64_t count;
        std::int64_t* places;
        void* out;
    };
    template <typename T, typename Index>
    static void write_places(const Write& write);

    std::int64_t (*count_)(const void* data, std::int64_t n) = nullptr;
    void (*write_)(const Write& write) = nullptr;
};

}  // namespace rondo::cpu
