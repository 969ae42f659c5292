// A view of frames in which time is still an axis of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "transformations/streaming/time_walk.hpp"

namespace rondo::passes {

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
