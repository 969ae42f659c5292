// Which element of an axis stands at each place of the padded axis.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rondo::ops {

/// What the places beside the elements hold, for an axis a b c d: a constant; the nearest element
/// (a a | a b c d | d d); the mirrored axis without its edge (c b | a b c d | c b) or with it
/// (b a | a b c d | d c); the axis again (c d | a b c d | a b). Mirrors and repetitions go on for
/// as many places as there are.
enum class PadMode : std::uint8_t { constant, edge, reflect, symmetric, wrap };

/// An axis of the output. Pads below 0 take elements away before the others are padded.
struct PadRange {
    /// For an axis with `extent` elements; the pads' sum and `extent` add up to 0 or more.
    PadRange(std::int64_t extent, std::int64_t begin, std::int64_t end)
        : length(extent + (begin + end)),
          before(std::max<std::int64_t>(begin, 0)),
          first(std::min(std::max<std::int64_t>(-begin, 0), extent)),
          count(std::max<std::int64_t>(extent - first - std::max<std::int64_t>(-end, 0), 0)) {}

    /// Places [begin(), end()) hold elements first, first + 1, ... of the axis.
    std::int64_t begin() const { return count == 0 ? 0 : std::min(before, length); }
    std::int64_t end() const { return count == 0 ? 0 : std::min(before + count, length); }

    std::int64_t length;  ///< places
    std::int64_t before;  ///< places before the first element that is kept
    std::int64_t first;   ///< of the elements that are kept
    std::int64_t count;   ///< elements that are kept
};

/// The element of the axis at a place in [0, length), or -1 for the constant. Unless the mode is
/// constant some element must be kept.
std::int64_t padded_source(PadMode mode, const PadRange& range, std::int64_t place);

}  // namespace rondo::ops
