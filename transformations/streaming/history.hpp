// Keeps the frames before those of a chunk in a variable.
#pragma once

#include <cstdint>
#include <string>

#include "transformations/streaming/time_walk.hpp"

namespace rondo::passes {

/// The frames before the very first one: a number everywhere, or a tensor of such frames.
struct FirstFrames {
    double number = 0;
    Output value = {};
};

/// A Concat of the `count` frames before `data` and `data` (`data` itself if count is 0). A
/// variable keeps as many frames of this Concat as the next chunk needs, however short the chunk
/// is. `name` begins the names of the nodes. The Concat's fact has `count` more extra frames.
Output with_history(TimeWalk& walk, const std::string& name, const Output& data, std::int64_t count,
                    const FirstFrames& first = {});

/// A value of each extent of `like`, but `count` along `axis`, that is `number` everywhere: empty
/// for zeros of known extents, which a variable starts with by itself.
std::vector<Output> splat_like(TimeWalk& walk, const std::string& name, const Output& like,
                               const PartialShape& shape, double number);

/// data[start:stop] along `axis`; a stop of 0 means the end.
Output slice_frames(TimeWalk& walk, const std::string& name, const Output& data, std::size_t axis,
                    std::int64_t start, std::int64_t stop);

}  // namespace rondo::passes
