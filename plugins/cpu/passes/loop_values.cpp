#include "plugins/cpu/passes/loop_values.hpp"

#include <algorithm>

#include "core/ops/product/matmul.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/passes/batched_op.hpp"
#include "transformations/pass/node_roles.hpp"

namespace rondo::cpu {
namespace {

constexpr int kMostDepth = 1000;

// Elements, where an open extent counts once.
std::size_t known_elements(const PartialShape& shape) {
    std::size_t count = 1;
    for (const Dimension& extent : shape.dimensions()) {
        if (extent.is_static()) count *= static_cast<std::size_t>(extent.length());
    }
    return count;
}

bool has_float_outputs(const Node& node) {
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        if (node.output_type(i) != ElementType::f32) return false;
    }
    return node.output_count() > 0;
}

}  // namespace

bool is_work(const Node& node) {
    return node.input_count() > 0 && !node.traits().view && !node.traits().moves_elements;
}

LoopValues::LoopValues(const ops::IteratedOp& loop) : run_(loop), surely_runs_(run_.surely_runs()) {
    const auto nodes = loop.body().ordered_nodes();
    // What is computed before the loop is made by recursion.
    std::unordered_map<const Node*, int> depths;
    for (const auto& node : nodes) {
        int& depth = depths[node.get()];
        for (const Output& input : node->inputs()) {
            depth = std::max(depth, depths[&input.node()] + 1);
        }
        LoopValue& value = values_[node.get()];
        value = depth < kMostDepth ? find(*node) : LoopValue::state;
        if (value == LoopValue::state) depth = 0;
    }
    if (usable_ && run_.runs_once_a_step(parts_)) return;
    for (auto& [node, value] : values_) {
        if (value == LoopValue::step) value = LoopValue::state;
    }
}

LoopValue LoopValues::of(const Node& node) const {
    const auto found = values_.find(&node);
    return found == values_.end() ? LoopValue::state : found->second;
}

std::vector<bool> LoopValues::varying_inputs(const Node& node) const {
    std::vector<bool> varies;
    for (const Output& input : node.inputs()) varies.push_back(of(input) == LoopValue::step);
    return varies;
}

LoopValue LoopValues::found_part(const Node& node) {
    const Output value(const_cast<Node&>(node).shared_from_this(), 0);
    if (const auto part = run_.part_of(value)) {
        const bool suits = value.element_type() == ElementType::f32 &&
                           part->tensor.shape().has_rank() && value.shape().has_rank() &&
                           value.shape().rank() <= part->tensor.shape().rank();
        if (!suits) return LoopValue::state;
        if (!parts_.empty() && part->reverse != reverse_) usable_ = false;
        reverse_ = part->reverse;
        parts_.push_back({part->tensor, part->axis});
        if (!passes::is_parameter(node)) gather_ = &node;
        return LoopValue::step;
    }
    return run_.outside(value) ? LoopValue::invariant : LoopValue::state;
}

LoopValue LoopValues::find(const Node& node) {
    if (passes::is_constant(node)) return LoopValue::constant;
    if (node.output_count() == 0 || !node.bodies().empty() || node.traits().random) {
        return LoopValue::state;
    }
    if (const LoopValue part = found_part(node); part != LoopValue::state) return part;
    if (node.input_count() == 0) return LoopValue::state;
    LoopValue worst = LoopValue::constant;
    for (const Output& input : node.inputs()) worst = std::max(worst, of(input));
    if (worst == LoopValue::constant || worst == LoopValue::state) return worst;
    if (!has_float_outputs(node)) return LoopValue::state;
    const auto same = [this](const Output& a, std::size_t axis_of_a, const Output& b,
                             std::size_t axis_of_b) {
        return extent_of(a, axis_of_a) == extent_of(b, axis_of_b);
    };
    if (!surely_runs_ && !never_fails(node, same)) return LoopValue::state;
    if (worst == LoopValue::invariant) return worst;
    const bool suits = runs_over_steps(node, varying_inputs(node)) && !grows(node);
    return suits ? LoopValue::step : LoopValue::state;
}

// The extent of what is around the loop, where the body has it from there.
ExtentOrigin LoopValues::extent_of(const Output& value, std::size_t axis) const {
    const auto own = origin_of_extent(value, axis);
    const auto part = run_.part_of(own.source);
    Output around = run_.outside(own.source);
    std::size_t place = own.axis;
    if (part) {
        around = part->tensor;
        const bool keeps_axis = own.source.shape().rank() == around.shape().rank();
        if (keeps_axis && place == part->axis) return own;
        if (!keeps_axis && place >= part->axis) ++place;
    }
    return around ? origin_of_extent(around, place) : own;
}

bool LoopValues::grows(const Node& node) const {
    if (as_op<ops::MatMul>(node) != nullptr) return false;
    std::size_t before = 0, after = 0;
    for (const Output& input : node.inputs()) {
        if (of(input) == LoopValue::step) before += known_elements(input.shape());
    }
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        after += known_elements(node.output_shape(i));
    }
    return after > before;
}

}  // namespace rondo::cpu
