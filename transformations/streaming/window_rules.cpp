// Makes windows that slide along time work on chunks: convolutions, transposed ones and pools.
#include <algorithm>
#include <limits>

#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/pool.hpp"
#include "transformations/streaming/history.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

using ops::AutoPad;
using ops::ConvolutionAttributes;
using ops::ConvolutionAxis;

constexpr std::size_t kFirstSpatial = 2;

// The axis, for a kernel of known extent; its pads are those of a long sequence.
ConvolutionAxis time_window(const TimeWalk& walk, const Node& node,
                            const ConvolutionAttributes& attributes, std::size_t place,
                            const Dimension& kernel) {
    if (!kernel.is_static()) walk.refuse(node, "has a window whose extent along time isn't known");
    ConvolutionAxis axis = ops::axis_of(attributes, place);
    axis.kernel = kernel.length();
    if (axis.stride != 1) {
        walk.refuse(node, "takes steps of " + std::to_string(axis.stride) + " frames along time");
    }
    axis.input = ops::reach_of(axis);
    ops::settle(axis, attributes.auto_pad);
    return axis;
}

// The same window with pads as numbers, so that those along time can be others.
ConvolutionAttributes explicit_pads(const TimeWalk& walk, const Node& node,
                                    ConvolutionAttributes attributes,
                                    const std::vector<std::int64_t>& kernel, std::size_t time) {
    const PartialShape& data = node.input(0).shape();
    std::vector<std::int64_t> begin;
    std::vector<std::int64_t> end;
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        ConvolutionAxis axis = ops::axis_of(attributes, i);
        axis.kernel = kernel[i];
        const Dimension& extent = data[i + kFirstSpatial];
        const bool follows = ops::is_same(attributes.auto_pad) && axis.stride != 1 && i != time;
        if (follows && !extent.is_static()) walk.refuse(node, "has pads that aren't known");
        axis.input = extent.is_static() ? extent.length() : ops::reach_of(axis);
        ops::settle(axis, attributes.auto_pad);
        begin.push_back(axis.pad_begin);
        end.push_back(axis.pad_end);
    }
    attributes.auto_pad = AutoPad::explicit_pads;
    attributes.pads_begin = std::move(begin);
    attributes.pads_end = std::move(end);
    return attributes;
}

std::vector<std::int64_t> kernel_of(const TimeWalk& walk, const Node& node) {
    const PartialShape& data = node.input(0).shape();
    const PartialShape& filters = node.input(1).shape();
    if (!data.has_rank() || !filters.has_rank() || walk.fact(node.input(1)).is_frames()) {
        walk.refuse(node, "has filters that aren't known");
    }
    const std::size_t spatial = data.rank() - kFirstSpatial;
    std::vector<std::int64_t> kernel;
    for (std::size_t i = filters.rank() - spatial; i < filters.rank(); ++i) {
        if (!filters[i].is_static()) walk.refuse(node, "has a window of an open extent");
        kernel.push_back(filters[i].length());
    }
    return kernel;
}

// The fact of a window's result, without pads along time, over data with its history.
TimeFact slid(const TimeWalk& walk, const Node& node, TimeFact fact, const ConvolutionAxis& axis) {
    fact.missing += axis.pad_end;
    fact.extra -= ops::reach_of(axis) - 1;
    if (fact.extra < 0) {
        walk.refuse(node, "reads " + std::to_string(-fact.extra) +
                              (fact.extra == -1 ? " frame" : " frames") + " of the future");
    }
    if (fact.missing > 0 && axis.pad_end > 0) fact.cause = describe(node);
    return fact;
}

// Whether the window slides along another axis than time, whose frames are then rows.
bool slides_elsewhere(const TimeWalk& walk, const Node& node) {
    const TimeFact& fact = walk.fact(node.input(0));
    return !fact.is_frames() || fact.axis < kFirstSpatial || fact.reshaped;
}

}  // namespace

void convolution_rule(TimeWalk& walk, const NodePtr& node) {
    if (slides_elsewhere(walk, *node)) return rows_rule(walk, node);
    auto& op = static_cast<ops::ConvolutionBase&>(*node);
    const auto kernel = kernel_of(walk, *node);
    const std::size_t time = walk.fact(node->input(0)).axis - kFirstSpatial;
    const ConvolutionAxis axis =
        time_window(walk, *node, op.attributes(), time, Dimension(kernel[time]));
    auto attributes = explicit_pads(walk, *node, op.attributes(), kernel, time);
    attributes.pads_begin[time] = attributes.pads_end[time] = 0;
    const Output data = with_history(walk, node->name(), node->input(0), axis.pad_begin);
    const TimeFact fact = slid(walk, *node, walk.fact(data), axis);
    node->set_input(0, data);
    op.set_attributes(std::move(attributes));
    node->validate();
    walk.set_all(node, fact);
}

// Place j of the output takes the frames j + pad_begin - (reach - 1) to j + pad_begin.
void backprop_rule(TimeWalk& walk, const NodePtr& node) {
    if (slides_elsewhere(walk, *node)) return rows_rule(walk, node);
    auto& op = static_cast<ops::BackpropBase&>(*node);
    if (node->input_count() > 2) walk.refuse(*node, "is given the number of frames");
    const auto kernel = kernel_of(walk, *node);
    const std::size_t time = walk.fact(node->input(0)).axis - kFirstSpatial;
    ops::BackpropAttributes attributes = op.attributes();
    const ConvolutionAxis axis =
        time_window(walk, *node, attributes.window, time, Dimension(kernel[time]));
    // As in OpenVINO, the other kinds of pads mean none here.
    const bool is_explicit = attributes.window.auto_pad == AutoPad::explicit_pads;
    const std::int64_t begin = is_explicit ? axis.pad_begin : 0;
    const std::int64_t end = is_explicit ? axis.pad_end : 0;
    const std::int64_t reach = ops::reach_of(axis);
    const std::int64_t before = std::max<std::int64_t>(reach - 1 - begin, 0);
    const Output data = with_history(walk, node->name(), node->input(0), before);
    const TimeFact given = walk.fact(data);
    TimeFact fact = given;
    fact.extra = given.extra - before - begin;
    fact.missing += reach - 1 - end + ops::entry_of(attributes.output_padding, time, 0);
    fact.extra += std::min<std::int64_t>(fact.missing, 0);
    fact.missing = std::max<std::int64_t>(fact.missing, 0);
    if (fact.extra < 0) walk.refuse(*node, "reads frames of the future");
    if (fact.missing > 0) fact.cause = describe(*node);
    const std::size_t spatial = kernel.size();
    auto& window = attributes.window;
    if (!is_explicit || window.pads_begin.empty()) window.pads_begin.assign(spatial, 0);
    if (!is_explicit || window.pads_end.empty()) window.pads_end.assign(spatial, 0);
    window.auto_pad = AutoPad::explicit_pads;
    window.pads_begin[time] = begin + before;
    window.pads_end[time] = given.extra - fact.extra + reach - 1 - window.pads_begin[time];
    if (!attributes.output_padding.empty()) attributes.output_padding[time] = 0;
    node->set_input(0, data);
    op.set_attributes(std::move(attributes));
    node->validate();
    walk.set_all(node, fact);
}

void pool_rule(TimeWalk& walk, const NodePtr& node) {
    auto& op = static_cast<ops::PoolBase&>(*node);
    const bool has_indices = node->output_count() > 1 && !node->consumers(1).empty();
    if (has_indices) walk.refuse(*node, "gives places in the data, among which time is counted");
    const TimeFact given = walk.fact(node->input(0));
    if (given.reshaped) return rows_rule(walk, node);
    if (given.axis < kFirstSpatial) {
        node->validate();
        return walk.set_all(node, given);
    }
    ops::PoolAttributes attributes = op.attributes();
    const std::size_t time = given.axis - kFirstSpatial;
    const ConvolutionAxis axis =
        time_window(walk, *node, attributes.window, time, Dimension(attributes.kernel[time]));
    const auto* average = as_op<ops::AvgPool>(*node);
    const bool is_padded = axis.pad_begin > 0 || axis.pad_end > 0;
    const bool counts_behind_pads = average != nullptr && !average->exclude_pad() &&
                                    attributes.rounding == ops::PoolRounding::ceil;
    if (average != nullptr && is_padded && (average->exclude_pad() || counts_behind_pads)) {
        walk.refuse(*node, "counts the frames of its first windows");
    }
    const bool is_float = is_floating(node->input(0).element_type());
    if (average == nullptr && axis.pad_begin > 0 && !is_float) {
        walk.refuse(*node, "has pads along time that no integer stands for");
    }
    attributes.window = explicit_pads(walk, *node, attributes.window, attributes.kernel, time);
    attributes.window.pads_begin[time] = attributes.window.pads_end[time] = 0;
    const double empty = average == nullptr ? -std::numeric_limits<double>::infinity() : 0;
    const Output data =
        with_history(walk, node->name(), node->input(0), axis.pad_begin, {.number = empty});
    const TimeFact fact = slid(walk, *node, walk.fact(data), axis);
    node->set_input(0, data);
    op.set_attributes(std::move(attributes));
    node->validate();
    walk.set_all(node, fact);
}

}  // namespace rondo::passes
