// Integers that follow from the number of frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "transformations/pass/shape_elements.hpp"
#include "transformations/streaming/time_walk.hpp"

namespace rondo::passes {

/// `number`, or T + number for a sequence of T frames.
struct TimeExtent {
    bool has_time = false;
    std::int64_t number = 0;
};

/// Whether the element is the extent of a tensor along time.
bool is_time(const TimeWalk& walk, const ShapeElement& element);

/// What element `index` of an integer tensor is for the whole sequence; nothing where it isn't
/// known. Follows extents, views of them, sums and differences.
std::optional<TimeExtent> time_extent(const TimeWalk& walk, const Output& value, std::size_t index);

/// Places in a vector that hold an extent along time; nothing where an element isn't known.
std::optional<std::vector<std::size_t>> time_places(const TimeWalk& walk, const Output& vector);

}  // namespace rondo::passes
