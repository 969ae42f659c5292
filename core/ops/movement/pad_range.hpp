// Which element of an axis is at each place of the padded axis.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rondo::ops {

/// What the places beside the elements hold, for an axis a b c d: a constant; the nearest element
/// (a a | a b c d | d d); the mirrored axis without its edge (c b | a b c d | c b) or with it
/// (b a | a b c d | d c); the axis again (c d | a b c d | a b). Mirrors and repetitions go on for
/// as many places as there are.
enum class PadMode : std::uint8_t { constant, edge, reflect, symmetric, wrap };

/// An axis of the output. Pads below 0 take places away. The mode wrap repeats only the elements
/// that they leave, as onnxruntime does; the other modes look at all elements, as OpenVINO does.
struct PadRange {
    /// For an axis with `extent` elements; the pads' sum and `extent` add up to 0 or more.
    PadRange(PadMode mode, std::int64_t extent, std::int64_t begin, std::int64_t end)
        : length(extent + (begin + end)), before(begin), count(extent) {
        if (mode != PadMode::wrap) return;
        before = std::max<std::int64_t>(begin, 0);
        first = std::min(std::max<std::int64_t>(-begin, 0), extent);
        count = std::max<std::int64_t>(extent - first - std::max<std::int64_t>(-end, 0), 0);
    }

    /// Places [begin(), end()) hold elements of the axis one after another.
    std::int64_t begin() const { return std::clamp<std::int64_t>(before, 0, length); }
    std::int64_t end() const { return std::clamp(before + count, begin(), length); }
    /// The element that would be at place 0 if they went on to it.
    std::int64_t element_at_0() const { return first - before; }

    std::int64_t length;     ///< places
    std::int64_t before;     ///< places before element `first`; below 0 if it isn't shown
    std::int64_t first = 0;  ///< of the elements that are repeated
    std::int64_t count;      ///< of these elements
};

/// The element of the axis at a place in [0, length), or -1 for the constant. Unless the mode is
/// constant `count` must be above 0.
std::int64_t padded_source(PadMode mode, const PadRange& range, std::int64_t place);

}  // namespace rondo::ops
