// Copies elements of a block into another one: along each axis a table says from where.
#pragma once

#include <cstdint>
#include <vector>

namespace rondo::cpu {

/// An axis of the result: the place in the data of each of its places. One below 0 has a value of
/// its own instead: -1 the first one, -2 the second one.
struct PickAxis {
    std::int64_t input = 1;
    std::vector<std::int64_t> places;
};

/// The values are one element each. `out` overlaps none of the others.
struct PickArgs {
    const void* data = nullptr;
    const void* values[2] = {nullptr, nullptr};
    void* out = nullptr;
};

/// Immutable, usable from many threads.
class GatherTable {
public:
    /// `axes`: outermost first, none without places; `element`: bytes.
    GatherTable(const std::vector<PickAxis>& axes, std::int64_t element);

    /// Runs along the innermost axis, and the bytes of each.
    std::int64_t rows() const { return rows_; }
    std::int64_t row_bytes() const;

    /// Writes the rows [begin, end).
    void run(const PickArgs& args, std::int64_t begin, std::int64_t end) const;

private:
    // Byte offsets in the data, or values as above.
    using Offsets = std::vector<std::int64_t>;

    std::int64_t row_offset(std::int64_t row) const;
    void write_row(const PickArgs& args, std::int64_t from, char* to) const;

    std::int64_t element_;
    std::int64_t block_;          // bytes that are moved together
    std::vector<Offsets> outer_;  // axes outside of the run
    Offsets run_;
    std::int64_t rows_ = 1;
};

}  // namespace rondo::cpu
