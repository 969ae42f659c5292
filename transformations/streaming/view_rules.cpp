// Views that keep time an axis of its own: Reshape, and a Squeeze that takes its axis.
#include <algorithm>
#include <optional>

#include "core/extents/extent_origin.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/streaming/time_extent.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

using Part = ViewPart;

// An extent of the data as a part of the result.
Part copied(const TimeWalk& walk, const Output& data, std::size_t axis) {
    const TimeFact& fact = walk.fact(data);
    if (fact.is_frames() && fact.axis == axis) return {Part::Kind::time};
    const Dimension& extent = data.shape()[axis];
    if (extent.is_static()) return {Part::Kind::number, extent.length()};
    return {Part::Kind::copy, static_cast<std::int64_t>(axis)};
}

// A 0 in the pattern: the original model's extent at the same place.
std::optional<Part> part_of_zero(const TimeWalk& walk, const Output& data, std::size_t place) {
    const TimeFact& fact = walk.fact(data);
    if (!fact.reshaped) {
        if (place >= data.shape().rank()) return {};
        return copied(walk, data, place);
    }
    return {};  // places have moved
}

// An extent of any tensor, as one of the data's.
std::optional<Part> part_of_extent(const TimeWalk& walk, const Output& data,
                                   const ShapeElement& element) {
    if (is_time(walk, element)) {
        const TimeFact& own = walk.fact(data);
        const TimeFact& other = walk.fact(element.tensor);
        const bool same = own.extra == other.extra && own.missing == other.missing;
        return same ? std::optional(Part{Part::Kind::time}) : std::nullopt;
    }
    const ExtentOrigin wanted = origin_of_extent(element.tensor, element.axis);
    for (std::size_t i = 0; i < data.shape().rank(); ++i) {
        if (data.shape()[i].is_static() || i == walk.fact(data).axis) continue;
        if (origin_of_extent(data, i) == wanted) return copied(walk, data, i);
    }
    return {};
}

std::optional<Part> part_of(const TimeWalk& walk, const ops::Reshape& node, std::size_t place) {
    const Output& data = node.input(0);
    const auto element = shape_element(node.input(1), place);
    if (!element) {
        const auto sum = time_extent(walk, node.input(1), place);
        const TimeFact& fact = walk.fact(data);
        const bool is_own = sum && sum->has_time && sum->number == fact.extra + fact.missing;
        return is_own ? std::optional(Part{Part::Kind::time}) : std::nullopt;
    }
    if (!element->number) return part_of_extent(walk, data, *element);
    if (*element->number == -1) return Part{Part::Kind::rest};
    if (*element->number == 0 && node.special_zero()) return part_of_zero(walk, data, place);
    return Part{Part::Kind::number, *element->number};
}

}  // namespace

void reshape_rule(TimeWalk& walk, const NodePtr& node) {
    const auto& op = static_cast<const ops::Reshape&>(*node);
    if (!walk.fact(node->input(0)).is_frames()) {
        walk.refuse(*node, "takes its shape from the values of frames");
    }
    const PartialShape& pattern = node->input(1).shape();
    if (!pattern.is_static() || pattern.rank() != 1 || !node->input(0).shape().has_rank()) {
        walk.refuse(*node, "gets a shape that isn't known");
    }
    std::vector<Part> parts;
    for (std::int64_t i = 0; i < pattern[0].length(); ++i) {
        const auto part = part_of(walk, op, static_cast<std::size_t>(i));
        if (!part) walk.refuse(*node, "gets a shape that isn't known along time");
        parts.push_back(*part);
    }
    view_frames(walk, node, std::move(parts));
}

void squeeze_rule(TimeWalk& walk, const NodePtr& node) {
    const TimeFact& fact = walk.fact(node->input(0));
    const PartialShape& data = node->input(0).shape();
    const auto axes = node->input_count() > 1 ? constant_ints(node->input(1)) : std::nullopt;
    const bool is_named = axes && !axes->empty() && data.has_rank();
    if (!is_named || fact.reshaped) {
        walk.refuse(*node, "removes all axes of extent 1; one frame makes time one of them");
    }
    const auto removed = normalized_axes(*axes, data.rank());
    const auto names = [&](std::size_t axis) {
        return removed && std::find(removed->begin(), removed->end(), axis) != removed->end();
    };
    if (!names(fact.axis)) return rows_rule(walk, node);
    std::vector<Part> parts;
    for (std::size_t i = 0; i < data.rank(); ++i) {
        if (!names(i)) parts.push_back(copied(walk, node->input(0), i));
    }
    view_frames(walk, node, std::move(parts));
}

}  // namespace rondo::passes
