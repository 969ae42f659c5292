// Finds integers that follow from the number of frames, and reshapes views of frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/extents/integers.hpp"
#include "transformations/streaming/time_walk.hpp"

namespace rondo::passes {

/// `number`, or T + number for a sequence of T frames.
struct TimeExtent {
    bool has_time = false;
    std::int64_t number = 0;
};

/// Whether the element is the extent of a tensor along time.
bool is_time(const TimeWalk& walk, const ShapeElement& element);

/// What element `index` of an integer tensor is for the whole sequence. Returns nothing if it isn't
/// known. Follows extents, views of them, sums and differences.
std::optional<TimeExtent> time_extent(const TimeWalk& walk, const Output& value, std::size_t index);

/// Indices of a vector's elements that are extents along time. Returns nothing if an element isn't
/// known.
std::optional<std::vector<std::size_t>> time_places(const TimeWalk& walk, const Output& vector);

// A view of frames in which time is still an axis of its own.

/// An extent of a view's result: a number; that of an axis of the data whose extent is open; the
/// number of frames; or what is left.
struct ViewPart {
    enum class Kind : std::uint8_t { number, copy, time, rest };
    Kind kind = Kind::number;
    std::int64_t value = 0;  ///< the number, or the axis
};

/// Puts a Reshape to `parts` in the place of `node`, a view of frames (input 0), unless it takes
/// any number of frames already. Where the original model fixes the frames, an extent of the same
/// number may be time; if none is, time becomes the first axis of a result with one more. Throws
/// UnsupportedError naming the node where time would be merged with other axes.
void view_frames(TimeWalk& walk, const NodePtr& node, std::vector<ViewPart> parts);

}  // namespace rondo::passes
