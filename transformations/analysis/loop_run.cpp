#include "transformations/analysis/loop_run.hpp"

#include <algorithm>
#include <utility>

#include "core/extents/extent_origin.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"

namespace rondo::passes {
namespace {

using ops::BodyInput;

// Follows a value up through views, and Converts to types that hold the number of any step.
Output before_views(Output value) {
    while (value.node().traits().view || keeps_extents(value.node())) {
        value = value.node().input(0);
    }
    return value;
}

bool is_increment(const Output& next, const Output& before) {
    const Output sum = before_views(next);
    if (!ops::is(sum.node(), ops::BinaryFunction::add)) return false;
    for (const std::size_t i : {0U, 1U}) {
        const bool same = before_views(sum.node().input(i)) == before;
        if (same && constant_scalar(sum.node().input(1 - i)) == 1.0) return true;
    }
    return false;
}

bool is_known_true(const Node& node) {
    const Tensor known = node.known_value(0);
    return known && known.element_type() == ElementType::boolean && known.size() == 1 &&
           ops::is_true(known.contiguous());
}

// Whether all that a condition asks for at once holds.
template <typename Holds>
bool all_hold(const Output& condition, const Holds& holds) {
    return walk_up({condition}, [&](const Node& node) -> std::optional<std::size_t> {
               if (ops::is(node, ops::LogicalFunction::logical_and)) return kAllInputs;
               return holds(node) ? std::optional(std::size_t{0}) : std::nullopt;
           }) == nullptr;
}

}  // namespace

std::unordered_set<const Node*> needed_nodes(const Graph& body, const ops::BodyPorts& ports,
                                             std::vector<NodePtr> ends) {
    std::unordered_set<const Node*> found;
    while (!ends.empty()) {
        const std::vector<NodePtr> roots = std::exchange(ends, {});
        walk_up({roots.begin(), roots.end()}, [&](const Node& node) {
            return std::optional(found.insert(&node).second ? kAllInputs : 0);
        });
        for (const BodyInput& port : ports.inputs) {
            const bool is_read = found.contains(body.parameters()[port.parameter].get());
            if (!port.back_edge || !is_read) continue;
            const NodePtr& result = body.results()[*port.back_edge];
            if (!found.contains(result.get())) ends.push_back(result);
        }
    }
    return found;
}

bool LoopRun::is_loop() const { return as_op<ops::Loop>(loop_) != nullptr; }

const BodyInput* LoopRun::port_of(const Node& parameter) const {
    for (const BodyInput& port : loop_.body_ports().inputs) {
        if (body_.parameters()[port.parameter].get() == &parameter) return &port;
    }
    return nullptr;
}

Output LoopRun::outside(const Output& value) const {
    const BodyInput* port = port_of(value.node());
    if (port == nullptr || port->back_edge || port->slice) return {};
    return loop_.input(port->input);
}

std::optional<LoopPart> LoopRun::part_of(const Output& value) const {
    const BodyInput* port = port_of(value.node());
    if (port != nullptr) return port->slice ? sliced(*port) : std::nullopt;
    if (has_slices()) return {};  // the order of slices may be another one
    if (const auto axis = gathered_axis(value.node())) {
        const Output tensor = outside(value.node().input(0));
        return tensor ? part_at(tensor, *axis, value.node().input(1)) : std::nullopt;
    }
    const auto* slice = as_op<ops::Slice>(value.node());
    return slice != nullptr ? cut_out(*slice) : std::nullopt;
}

// Parts of one element, from the first to the last or the other way.
std::optional<LoopPart> LoopRun::sliced(const BodyInput& port) const {
    const ops::PartRange& range = *port.slice;
    const bool forward = range.start == 0 && range.stride == 1 && range.end == -1;
    const bool backward = range.start == -1 && range.stride == -1 && range.end == 0;
    if (range.part_size != 1 || range.axis < 0 || (!forward && !backward)) return {};
    return LoopPart{loop_.input(port.input), static_cast<std::size_t>(range.axis), backward};
}

// One element along one axis. An index below 0 would end at 0 for the last element.
std::optional<LoopPart> LoopRun::cut_out(const ops::Slice& slice) const {
    const Output tensor = outside(slice.input(0));
    if (!tensor || !tensor.shape().has_rank() || slice.input_count() != 5) return {};
    const auto axis = constant_ints(slice.input(4));
    if (!axis || axis->size() != 1 || constant_ints(slice.input(3)) != std::vector{1L}) return {};
    const auto place = normalized_axes(*axis, tensor.shape().rank());
    const auto part = place ? part_at(tensor, place->front(), slice.input(1)) : std::nullopt;
    if (!part) return {};
    const AffineLeaves known = leaves(tensor, part->axis);
    const auto start = affine_expr(slice.input(1), known);
    const auto stop = affine_expr(slice.input(2), known);
    const Dimension& extent = tensor.shape()[part->axis];
    if (!start || !stop) return {};
    const AffineExpr next{start->extent, start->counter, start->constant + 1};
    const bool is_one = are_equal(*stop, next, extent);
    const bool from_front = !part->reverse || are_equal(*start, {1, -1, -1}, extent);
    return is_one && from_front ? part : std::nullopt;
}

std::optional<LoopPart> LoopRun::part_at(const Output& tensor, std::size_t axis,
                                         const Output& index) const {
    const auto number = affine_expr(index, leaves(tensor, axis));
    if (!number) return {};
    const Dimension& extent = tensor.shape()[axis];
    if (are_equal(*number, {0, 1, 0}, extent)) return LoopPart{tensor, axis, false};
    const bool from_end = are_equal(*number, {1, -1, -1}, extent) ||
                          are_equal(*number, {0, -1, -1}, extent);  // as indices below 0
    return from_end ? std::optional(LoopPart{tensor, axis, true}) : std::nullopt;
}

AffineLeaves LoopRun::leaves(const Output& tensor, std::size_t axis) const {
    return {[this](const Output& value) { return counter(value); },
            [tensor, axis](const Output& value) { return is_extent(value, tensor, axis); },
            [this](const Output& value) { return outside(value); }};
}

bool LoopRun::is_extent_of_all(const Output& value, std::span<const StepInput> inputs) const {
    return std::all_of(inputs.begin(), inputs.end(), [&](const StepInput& part) {
        if (is_extent(value, part.tensor, part.time_axis)) return true;
        const auto number = affine_expr(value, leaves(part.tensor, part.time_axis));
        return number && are_equal(*number, {1, 0, 0}, part.tensor.shape()[part.time_axis]);
    });
}

bool LoopRun::has_slices() const {
    const auto& inputs = loop_.body_ports().inputs;
    return std::any_of(inputs.begin(), inputs.end(),
                       [](const BodyInput& port) { return port.slice.has_value(); });
}

bool LoopRun::counts(const BodyInput& port) const {
    const Output next = body_.results()[*port.back_edge]->input(0);
    const auto first = constant_scalar(loop_.input(port.input));
    const ElementType type = next.element_type();
    if ((type != ElementType::i64 && type != ElementType::i32) || first != 0.0) return false;
    return is_increment(next, body_.parameters()[port.parameter]->output(0));
}

std::optional<std::int64_t> LoopRun::counter(const Output& value) const {
    constexpr std::int64_t kMost = 64;
    Output number = before_views(value);
    for (std::int64_t more = 0; more < kMost; ++more) {
        const auto own = loop_.iteration_parameter();
        if (own && body_.parameters()[*own].get() == &number.node()) return more;
        if (const BodyInput* port = port_of(number.node())) {
            const bool is_counter = port->back_edge && counts(*port);
            return is_counter ? std::optional(more) : std::nullopt;
        }
        const Node& sum = number.node();
        if (!ops::is(sum, ops::BinaryFunction::add)) return {};
        const bool is_second = constant_scalar(sum.input(1)) == 1.0;
        if (!is_second && constant_scalar(sum.input(0)) != 1.0) return {};
        number = before_views(sum.input(is_second ? 0 : 1));
    }
    return {};
}

bool LoopRun::surely_runs() const {
    if (is_loop()) {
        return loop_.trip_count(context_of(loop_)).at_least_one;
    }
    const auto& ports = loop_.body_ports().inputs;
    return std::any_of(ports.begin(), ports.end(), [&](const BodyInput& port) {
        const auto part = port.slice ? sliced(port) : std::nullopt;
        return part && part->tensor.shape().has_rank() &&
               part->tensor.shape()[part->axis].min() > 0;
    });
}

// Slices come to an end by themselves.
bool LoopRun::runs_once_a_step(std::span<const StepInput> inputs) const {
    if (!is_loop()) return has_slices();
    if (has_slices() || !begins(loop_.input(1), inputs)) return false;
    const auto result = loop_.condition_result();
    const Output condition = result ? body_.results()[*result]->input(0) : Output();
    if (condition && !goes_on(condition, inputs)) return false;
    return is_extent_of_all(loop_.input(0), inputs) ||
           (condition && has_no_bound() && ends(condition));
}

bool LoopRun::has_no_bound() const {
    const auto bound = constant_scalar(loop_.input(0));
    return bound && (*bound < 0 || *bound >= 0x1p62);
}

// True if the number of steps isn't 0.
bool LoopRun::begins(const Output& condition, std::span<const StepInput> inputs) const {
    return all_hold(condition, [&](const Node& node) {
        return is_known_true(node) ||
               (ops::is(node, ops::CompareFunction::less) &&
                constant_scalar(node.input(0)) == 0.0 && is_extent_of_all(node.input(1), inputs));
    });
}

// True in all iterations but the last one, if not in that too.
bool LoopRun::goes_on(const Output& condition, std::span<const StepInput> inputs) const {
    return all_hold(condition, [&](const Node& node) {
        if (is_known_true(node)) return true;
        if (const BodyInput* port = port_of(node)) {  // the condition that was there before
            return port->back_edge && port->back_edge == loop_.condition_result() &&
                   begins(loop_.input(port->input), inputs);
        }
        if (!ops::is(node, ops::CompareFunction::less)) return false;
        const auto number = counter(node.input(0));
        if (!number || *number > 1) return false;
        const Output bound = before_views(node.input(1));
        const Output around = outside(bound);
        return is_extent_of_all(around ? around : bound, inputs);
    });
}

// False in the last iteration.
bool LoopRun::ends(const Output& condition) const {
    return !all_hold(condition, [&](const Node& node) {
        return !ops::is(node, ops::CompareFunction::less) || counter(node.input(0)) != 1;
    });
}

}  // namespace rondo::passes
