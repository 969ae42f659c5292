// Parts of a tensor: neighbours along one of its axes, and all of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/graph/node.hpp"

namespace rondo::passes {

/// The elements start .. stop-1 of an axis, clamped to it as a slice is. Where the extent is known,
/// the numbers lie inside it, and the stop of a part that reaches the end is kEnd; where it is
/// open, both may also count from the end (a start of -2: the last two).
struct AxisPart {
    static constexpr std::int64_t kEnd = Dimension::kInfinity;

    Output source;
    std::size_t axis = 0;
    std::int64_t start = 0;
    std::int64_t stop = kEnd;

    bool is_whole() const { return start == 0 && stop == kEnd; }
};

/// What a Slice, StridedSlice, Gather, Split or VariadicSplit takes of its data, if it is one part
/// that always exists; nothing for other values.
std::optional<AxisPart> axis_part(const Output& value);

/// Both parts as one, where `second` follows `first` for every extent of the axis.
std::optional<AxisPart> joined_parts(const AxisPart& first, const AxisPart& second);

}  // namespace rondo::passes
