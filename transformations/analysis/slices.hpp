// Parts of a tensor: neighbours along one of its axes, and all of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/graph/node.hpp"
#include "transformations/pass/rewriter.hpp"

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

/// Element `index` along an axis of known extent, which the value doesn't have.
struct SinglePart {
    Output source;
    std::size_t axis = 0;
    std::int64_t index = 0;
};

/// The element that a part consists of; nothing for a part of more, or of an open extent.
std::optional<SinglePart> element_of(const AxisPart& part);

/// What a Gather of one element, or a view of a part of extent 1, takes of a tensor; nothing for
/// other values. `kept_at`: where the value has an axis of extent 1 in place of the one that was
/// cut; nothing if it has none.
std::optional<SinglePart> single_part(const Output& value, std::optional<std::size_t> kept_at = {});

// Nodes that turn an axis round: recognised, and made.

/// The axis of which a Slice, Gather or ReverseSequence takes all elements from the last one to the
/// first, in all rows, where it takes the other axes as they are; nothing for other nodes.
std::optional<std::size_t> reversed_axis(const Node& node);

/// A Slice of all elements of an axis of any extent, from the last one to the first.
NodePtr make_reversal(Rewriter& rewriter, const Output& data, std::size_t axis,
                      const std::string& name);

}  // namespace rondo::passes
