// Shapes that are computed from those of frames, and what is made as long as time.
#include <algorithm>

#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/make_shape.hpp"
#include "transformations/streaming/time_extent.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

using Kind = TimeFact::Kind;

// Whether every element of an integer vector or scalar is certain not to be T.
bool is_timeless(const TimeWalk& walk, const Output& value) {
    const PartialShape& shape = value.shape();
    if (!shape.is_static() || !is_integral(value.element_type())) return false;
    const std::size_t count = element_count(shape.to_shape());
    if (count > 64) return false;
    for (std::size_t i = 0; i < count; ++i) {
        const auto element = shape_element(value, i);
        if (!element || is_time(walk, *element)) return false;
    }
    return true;
}

// Frames that all hold the same: as many as a tensor of the target has.
void spread_over_time(TimeWalk& walk, const NodePtr& node) {
    node->validate();
    const TimeFact& data = walk.fact(node->input(0));
    const auto places = time_places(walk, node->input(1));
    if (!places || places->size() != 1) {
        if (data.kind > Kind::extent) walk.refuse(*node, "takes its shape from the frames' number");
        return walk.set_all(node, TimeFact::of(Kind::extent));
    }
    if (data.kind > Kind::given || (data.kind == Kind::given && walk.fixed_frames())) {
        walk.refuse(*node, "joins all frames with a state that each of them would change");
    }
    const auto element = shape_element(node->input(1), places->front());
    TimeFact fact = walk.fact(element->tensor);
    fact.axis = places->front();
    fact.reshaped = false;
    if (fact.missing > 0) walk.refuse(*node, "takes its shape from frames of the future");
    walk.set_all(node, fact);
}

// The elements of a target that must follow the real number of frames at one place.
Output with_extent(TimeWalk& walk, const Node& node, const Output& target, std::size_t place) {
    auto elements = shape_elements(target);
    if (!elements) walk.refuse(node, "gets a shape that isn't known");
    (*elements)[place] = extent_element(node.input(0), walk.fact(node.input(0)).axis);
    return make_shape(walk.rewriter(), *elements, node.name() + "/target");
}

}  // namespace

void shape_of_rule(TimeWalk& walk, const NodePtr& node) {
    node->validate();
    walk.set_all(node, TimeFact::of(Kind::extent));
}

void extent_rule(TimeWalk& walk, const NodePtr& node) {
    node->validate();
    Kind kind = Kind::constant;
    for (const Output& input : node->inputs()) kind = std::max(kind, walk.fact(input).kind);
    if (kind == Kind::extent && node->output_count() == 1 && is_timeless(walk, node->output(0))) {
        kind = Kind::constant;
    }
    if (kind > Kind::extent) walk.refuse(*node, "computes a value from the frames' number");
    walk.set_all(node, TimeFact::of(kind));
}

void broadcast_rule(TimeWalk& walk, const NodePtr& node) {
    TimeFact fact = walk.fact(node->input(0));
    if (!fact.is_frames()) return spread_over_time(walk, node);
    const auto& op = static_cast<const ops::Broadcast&>(*node);
    const PartialShape& data = node->input(0).shape();
    const PartialShape& target = node->input(1).shape();
    if (fact.reshaped || op.mode() == ops::BroadcastMode::explicit_axes || !target.is_static()) {
        walk.refuse(*node, "gets a shape in which time isn't found");
    }
    const auto rank = static_cast<std::size_t>(target[0].length());
    if (rank < data.rank()) walk.refuse(*node, "gets a shape in which time isn't found");
    const std::size_t place = fact.axis + rank - data.rank();
    const auto wanted = time_extent(walk, node->input(1), place);
    const std::int64_t total = fact.extra + fact.missing;
    const bool is_own = wanted && wanted->has_time && wanted->number == total;
    const bool is_one = wanted && !wanted->has_time && wanted->number == 1 &&
                        op.mode() == ops::BroadcastMode::bidirectional;
    const bool is_fixed =
        wanted && !wanted->has_time && wanted->number == walk.original_extent(fact);
    if (!is_own && !is_one && !is_fixed) walk.refuse(*node, "repeats the frames along time");
    if (!is_one) node->set_input(1, with_extent(walk, *node, node->input(1), place));
    node->validate();
    fact.axis = place;
    walk.set_all(node, fact);
}

}  // namespace rondo::passes
