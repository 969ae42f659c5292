// Makes Slices along time, and slices of tensors that scatters have written over, work on chunks.
#include <algorithm>
#include <limits>

#include "core/graph/constants.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "transformations/streaming/time_extent.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

using Kind = TimeFact::Kind;

// Exporters write the end of a 32-bit integer for "to the end".
constexpr std::size_t kMaxMarks = std::size_t{1} << 20;

// How many frames a Slice leaves out before and after those that it takes; or how many it takes
// from the end, if that is a fixed number.
struct Cut {
    std::int64_t left = 0;
    std::int64_t right = 0;
    std::optional<std::int64_t> last = {};
};

TimeExtent bound_of(const TimeWalk& walk, const Node& node, std::size_t input, std::size_t element,
                    const std::optional<std::int64_t>& number) {
    if (number) return {false, *number};
    const auto extent = time_extent(walk, node.input(input), element);
    if (!extent) walk.refuse(node, "cuts time at a place that isn't known");
    return *extent;
}

// The number of frames after the stop.
std::int64_t right_cut(const TimeWalk& walk, const Node& node, const TimeFact& fact,
                       const TimeExtent& stop) {
    const auto extent = walk.original_extent(fact);
    const std::int64_t total = fact.extra + fact.missing;
    if (stop.has_time) return std::max<std::int64_t>(total - stop.number, 0);
    if (stop.number < 0) return -stop.number;
    if (stop.number >= kEnd) return 0;
    if (!extent) walk.refuse(node, "takes the first frames of the sequence");
    return std::max<std::int64_t>(*extent - stop.number, 0);
}

Cut cut_of(const TimeWalk& walk, const Node& node, const TimeFact& fact,
           const ops::SliceRequest& request) {
    const TimeExtent start = bound_of(walk, node, 1, request.element, request.start);
    const TimeExtent stop = bound_of(walk, node, 2, request.element, request.stop);
    if (request.step != 1) walk.refuse(node, "takes every few frames only");
    const auto extent = walk.original_extent(fact);
    Cut cut;
    cut.right = right_cut(walk, node, fact, stop);
    std::int64_t from_end = 0;
    if (start.has_time) {
        from_end = fact.extra + fact.missing - start.number;
        if (from_end <= 0) walk.refuse(node, "takes what is behind the last frame: nothing");
    }
    if (!start.has_time && start.number < 0) from_end = -start.number;
    if (from_end > 0 && !extent) {
        cut.last = from_end;
        return cut;
    }
    cut.left = from_end > 0 ? std::max<std::int64_t>(*extent - from_end, 0) : start.number;
    if (extent && cut.left > 0) cut.last = *extent - cut.left;
    return cut;
}

// Replaces one element of a constant vector of the Slice.
void set_element(TimeWalk& walk, const NodePtr& node, std::size_t input, std::size_t element,
                 std::int64_t value) {
    auto values = constant_ints(node->input(input));
    const PartialShape& shape = node->input(input).shape();
    if (!values && shape == PartialShape({1})) values = {{0}};
    if (!values) walk.refuse(*node, "cuts several axes at places that aren't known");
    (*values)[element] = value;
    node->set_input(input, walk.rewriter().make_ints(node->name() + "/bound", *values));
}

void take_last(TimeWalk& walk, const NodePtr& node, std::size_t element, std::int64_t count) {
    set_element(walk, node, 1, element, -count);
    set_element(walk, node, 2, element, std::numeric_limits<std::int64_t>::max());
    node->validate();
    walk.set_all(node, TimeFact::of(Kind::last));
}

void take_frames(TimeWalk& walk, const NodePtr& node, std::size_t element, const Cut& cut) {
    TimeFact fact = walk.fact(node->input(0));
    const std::int64_t unseen = std::min(cut.right, fact.missing);
    const std::int64_t right = cut.right - unseen;
    fact.missing -= unseen;
    fact.extra -= cut.left + right;
    if (fact.extra < 0) {
        walk.refuse(*node, cut.left > 0 ? "shifts frames towards the start of the sequence"
                                        : "leaves out the last frames of the sequence");
    }
    set_element(walk, node, 1, element, cut.left);
    set_element(walk, node, 2, element,
                right > 0 ? -right : std::numeric_limits<std::int64_t>::max());
    node->validate();
    walk.set_all(node, fact);
}

// Whether `node` takes only elements that the scatter left as they were in its data. Found by marks
// in the updates, which go through both ops.
bool takes_untouched(const Node& node, const Node& scatter) {
    const PartialShape& shape = scatter.output_shape(0);
    const PartialShape& updates = scatter.input(2).shape();
    if (!shape.is_static() || !updates.is_static()) return false;
    if (element_count(shape.to_shape()) > kMaxMarks) return false;
    std::vector<Tensor> inputs{Tensor(scatter.output_type(0), shape.to_shape()),
                               known_value(scatter.input(1)),
                               Tensor(scatter.output_type(0), updates.to_shape())};
    if (!inputs[1]) return false;
    auto* marks = static_cast<std::uint8_t*>(inputs[2].data());
    std::fill_n(marks, inputs[2].byte_size(), std::uint8_t{1});
    std::vector<Tensor> taken{reference::evaluate(scatter, inputs).front()};
    for (std::size_t i = 1; i < node.input_count(); ++i)
        taken.push_back(known_value(node.input(i)));
    for (const Tensor& tensor : taken) {
        if (!tensor) return false;
    }
    const Tensor part = reference::evaluate(node, taken).front();
    return has_zero_bits(part);
}

}  // namespace

void slice_rule(TimeWalk& walk, const NodePtr& node) {
    const TimeFact fact = walk.fact(node->input(0));
    if (!fact.is_frames()) walk.refuse(*node, "cuts at a place that the frames decide");
    if (!node->input(0).shape().has_rank() || fact.reshaped) return rows_rule(walk, node);
    const auto requests = ops::slice_requests(context_of(*node));
    if (!requests) walk.refuse(*node, "cuts axes that aren't known");
    const ops::SliceRequest& request = (*requests)[fact.axis];
    if (ops::takes_all(request)) {
        node->validate();
        return walk.set_all(node, fact);
    }
    const Cut cut = cut_of(walk, *node, fact, request);
    const bool reaches_end = cut.right == 0 && fact.missing == 0;
    // One chunk of a single frame must hold as many.
    const bool may_be_last = cut.last && reaches_end && *cut.last <= fact.extra + 1;
    const bool may_be_frames = !cut.last || walk.fixed_frames();
    if (!may_be_last && !may_be_frames) walk.refuse(*node, "takes more frames than a chunk has");
    if (may_be_last && (!may_be_frames || walk.choose(2) == 0)) {
        return take_last(walk, node, request.element, *cut.last);
    }
    take_frames(walk, node, request.element, cut);
}

void untouched_rule(TimeWalk& walk, const NodePtr& node) {
    while (true) {
        const Node& data = node->input(0).node();
        const auto* scatter = as_op<ops::ScatterNDUpdate>(data);
        if (scatter == nullptr || scatter->reduction() != ops::ScatterReduction::none) break;
        if (!takes_untouched(*node, data)) break;
        node->set_input(0, data.input(0));
    }
    node->validate();
    walk.set_all(node, walk.timeless(*node));
}

}  // namespace rondo::passes
