#include "transformations/recurrent/loop_run.hpp"

#include <algorithm>
#include <vector>

#include "core/ops/control/loop.hpp"
#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/compare.hpp"
#include "core/ops/elementwise/logical.hpp"
#include "core/ops/movement/gather.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/recurrent/extent_value.hpp"

namespace rondo::passes {
namespace {

using ops::BodyInput;

// Behind views, and Converts to types that hold the number of any step.
Output behind_converts(Output value) {
    while (value.node().traits().view || keeps_extents(value.node())) {
        value = value.node().input(0);
    }
    return value;
}

bool is_increment(const Output& next, const Output& before) {
    const Output sum = behind_converts(next);
    if (!ops::is(sum.node(), ops::BinaryFunction::add)) return false;
    for (const std::size_t i : {0U, 1U}) {
        const bool same = behind_converts(sum.node().input(i)) == before;
        if (same && constant_scalar(sum.node().input(1 - i)) == 1.0) return true;
    }
    return false;
}

bool is_extent_of_all(const Output& value, std::span<const StepInput> inputs) {
    return std::all_of(inputs.begin(), inputs.end(), [&](const StepInput& part) {
        return is_extent(value, part.tensor, part.time_axis);
    });
}

bool is_known_true(const Output& value) {
    const Tensor known = known_value(value);
    return known && known.element_type() == ElementType::boolean && known.size() == 1 &&
           ops::is_true(known.contiguous());
}

// What a condition asks for at once; nothing where that is too much.
std::optional<std::vector<Output>> conjuncts(const Output& condition) {
    constexpr std::size_t kMost = 64;
    std::vector<Output> open{condition}, found;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const Output value = open[i];
        if (!ops::is(value.node(), ops::LogicalFunction::logical_and)) {
            found.push_back(value);
            continue;
        }
        for (const Output& input : value.node().inputs()) {
            if (std::find(open.begin(), open.end(), input) == open.end()) open.push_back(input);
        }
        if (open.size() > kMost) return {};
    }
    return found;
}

}  // namespace

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
    return as_op<ops::Gather>(value.node()) != nullptr ? gathered(value) : std::nullopt;
}

// Parts of one element, from the first to the last or the other way.
std::optional<LoopPart> LoopRun::sliced(const BodyInput& port) const {
    const ops::PartRange& range = *port.slice;
    const bool forward = range.start == 0 && range.stride == 1 && range.end == -1;
    const bool backward = range.start == -1 && range.stride == -1 && range.end == 0;
    if (range.part_size != 1 || range.axis < 0 || (!forward && !backward)) return {};
    return LoopPart{loop_.input(port.input), static_cast<std::size_t>(range.axis), backward};
}

std::optional<LoopPart> LoopRun::gathered(const Output& value) const {
    if (has_slices()) return {};  // the order of slices may be another one
    const auto& gather = *as_op<ops::Gather>(value.node());
    const Output tensor = outside(gather.input(0));
    const auto axis = constant_ints(gather.input(2));
    if (!tensor || !axis || axis->size() != 1 || counter(gather.input(1)) != 0) return {};
    if (gather.batch_dims() != 0 || !tensor.shape().has_rank()) return {};
    const auto place = normalized_axes(*axis, tensor.shape().rank());
    if (!place) return {};
    return LoopPart{tensor, place->front()};
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
    Output number = behind_converts(value);
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
        number = behind_converts(sum.input(is_second ? 0 : 1));
    }
    return {};
}

bool LoopRun::surely_runs() const {
    if (dynamic_cast<const ops::Loop*>(&loop_) != nullptr) {
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
    if (dynamic_cast<const ops::Loop*>(&loop_) == nullptr) return has_slices();
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

bool LoopRun::begins(const Output& condition, std::span<const StepInput> inputs) const {
    const auto parts = conjuncts(condition);
    return parts && std::all_of(parts->begin(), parts->end(),
                                [&](const Output& part) { return part_begins(part, inputs); });
}

// True if the number of steps isn't 0.
bool LoopRun::part_begins(const Output& condition, std::span<const StepInput> inputs) const {
    const Node& node = condition.node();
    if (is_known_true(condition)) return true;
    return ops::is(node, ops::CompareFunction::less) && constant_scalar(node.input(0)) == 0.0 &&
           is_extent_of_all(node.input(1), inputs);
}

bool LoopRun::goes_on(const Output& condition, std::span<const StepInput> inputs) const {
    const auto parts = conjuncts(condition);
    return parts && std::all_of(parts->begin(), parts->end(),
                                [&](const Output& part) { return part_goes_on(part, inputs); });
}

// True in all iterations but the last one, if not in that too.
bool LoopRun::part_goes_on(const Output& condition, std::span<const StepInput> inputs) const {
    const Node& node = condition.node();
    if (is_known_true(condition)) return true;
    if (const BodyInput* port = port_of(node)) {  // the condition that was there before
        return port->back_edge && port->back_edge == loop_.condition_result() &&
               begins(loop_.input(port->input), inputs);
    }
    if (!ops::is(node, ops::CompareFunction::less)) return false;
    const auto number = counter(node.input(0));
    if (!number || *number > 1) return false;
    const Output bound = behind_converts(node.input(1));
    const Output around = outside(bound);
    return is_extent_of_all(around ? around : bound, inputs);
}

// False in the last iteration.
bool LoopRun::ends(const Output& condition) const {
    const auto parts = conjuncts(condition);
    return parts && std::any_of(parts->begin(), parts->end(), [&](const Output& part) {
               const Node& node = part.node();
               return ops::is(node, ops::CompareFunction::less) && counter(node.input(0)) == 1;
           });
}

}  // namespace rondo::passes
