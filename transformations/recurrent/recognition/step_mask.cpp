#include "transformations/recurrent/recognition/step_mask.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"

namespace rondo::passes {
namespace {

using ops::BinaryFunction;

// One column, or the rows of a part that has no other axis.
bool is_column(const PartialShape& shape) {
    return shape.has_rank() && shape.rank() == 2 && shape[1] == Dimension(1);
}

// The steps that a part of a tensor of booleans is one of.
std::optional<StepMask> mask_of_part(const Output& value, const LoopRun& run) {
    const auto part = run.part_of(value);
    if (!part || part->reverse || value.element_type() != ElementType::boolean) return {};
    const PartialShape& shape = part->tensor.shape();
    if (!shape.has_rank() || part->axis > 1) return {};
    const bool fits = shape.rank() == 2 || (shape.rank() == 3 && shape[2] == Dimension(1));
    return fits ? std::optional(StepMask{part->tensor, part->axis}) : std::nullopt;
}

// Finds the mask above a value, through views, Converts of truth values and negations.
std::optional<StepMask> mask_of(Output value, const LoopRun& run) {
    if (!is_column(value.shape())) return {};
    bool skips = false;
    while (true) {
        if (auto mask = mask_of_part(value, run)) {
            mask->skips = skips;
            return mask;
        }
        const Node& node = value.node();
        const bool converts = as_op<ops::Convert>(node) != nullptr &&
                              node.input(0).element_type() == ElementType::boolean;
        if (node.traits().view || converts) {
            value = node.input(0);
        } else if (ops::is(node, ops::UnaryFunction::logical_not)) {
            skips = !skips;
            value = node.input(0);
        } else if (ops::is(node, BinaryFunction::subtract) &&
                   constant_scalar(node.input(0)) == 1.0) {
            skips = !skips;
            value = node.input(1);
        } else {
            return {};
        }
    }
}

// A mask times a value: the value where it is true.
std::optional<MaskedValue> masked_factor(const Output& product, const LoopRun& run) {
    const Node& node = product.node();
    if (!ops::is(node, BinaryFunction::multiply)) return {};
    for (const std::size_t i : {0U, 1U}) {
        if (auto mask = mask_of(node.input(i), run)) {
            return MaskedValue{node.input(1 - i), {}, *std::move(mask)};
        }
    }
    return {};
}

}  // namespace

std::optional<MaskedValue> masked_value(const Output& value, const LoopRun& run) {
    const Node& node = value.node();
    std::optional<MaskedValue> found;
    if (as_op<ops::Select>(node) != nullptr) {
        if (auto mask = mask_of(node.input(0), run)) {
            found = {node.input(1), node.input(2), *std::move(mask)};
        }
    } else if (ops::is(node, BinaryFunction::add)) {
        const auto one = masked_factor(node.input(0), run);
        const auto other = masked_factor(node.input(1), run);
        StepMask opposite = other ? other->mask : StepMask();
        opposite.skips = !opposite.skips;
        if (one && one->mask == opposite) found = {one->where_true, other->where_true, one->mask};
    }
    if (found && std::exchange(found->mask.skips, false)) {
        std::swap(found->where_true, found->where_false);
    }
    return found;
}

MaskedSteps::MaskedSteps(Rewriter& rewriter, const StepMask& mask, std::string name)
    : by_(rewriter, std::move(name)), takes_(mask.tensor) {
    if (takes_.shape().rank() == 3) takes_ = by_.squeeze(takes_, {2});
    if (mask.time_axis == 0) takes_ = by_.transpose(takes_, {1, 0});
    if (mask.skips) takes_ = by_.apply(ops::UnaryFunction::logical_not, takes_);
    steps_ = by_.convert(takes_, ElementType::i32);
    counts_ = by_.make<ops::CumSum>(steps_, by_.integer(1), ops::Cumulation::Options{});
    // Steps that aren't taken come last, in any order.
    const Output last = by_.number(std::numeric_limits<std::int32_t>::max(), counts_);
    const Output steps = by_.gather(by_.shape_of(takes_), by_.integer(1), 0);
    ops::TopKAttributes by_count;
    by_count.axis = 1;
    by_count.mode = ops::TopKMode::min;
    const Output key = by_.select(takes_, counts_, last);
    order_ = Output(by_.make<ops::TopK>(key, steps, by_count).node_ptr(), 1);
}

Output MaskedSteps::lengths() { return by_.sum_along(steps_, 1); }

Output MaskedSteps::taken(const Output& x) {
    return by_.make<ops::Gather>(x, order_, by_.integer(1), 1);
}

Output MaskedSteps::spread(const Output& y, const Output& first) {
    return chosen(above_zero(counts_, {2}), y, first);
}

Output MaskedSteps::or_else(const Output& y, const Output& other) {
    return chosen(by_.unsqueeze(takes_, {2}), y, other);
}

Output MaskedSteps::last(const Output& last, const Output& first) {
    return by_.select(above_zero(lengths(), {1, 2}), last, rows_of(first));
}

// [N,1,T,H]: what the step gave that was taken last, or these rows.
Output MaskedSteps::chosen(const Output& is_taken, const Output& y, const Output& rows) {
    const Output before = by_.subtract(counts_, by_.number(1, counts_));
    const Output place = by_.maximum(before, by_.number(0, counts_));
    const Output steps = by_.make<ops::Gather>(by_.squeeze(y, {1}), place, by_.integer(1), 1);
    return by_.unsqueeze(by_.select(is_taken, steps, rows_of(rows)), {1});
}

// With more axes of extent 1.
Output MaskedSteps::above_zero(const Output& counts, const std::vector<std::int64_t>& axes) {
    const Output zero = by_.number(0, counts);
    return by_.unsqueeze(by_.compare(ops::CompareFunction::greater, counts, zero), axes);
}

// [N,1,H], or one 0.
Output MaskedSteps::rows_of(const Output& first) {
    if (!first) return by_.number(ElementType::f32, 0);
    return by_.reshape(first, {-1, 1, static_cast<std::int64_t>(units_of(first.shape()))});
}

}  // namespace rondo::passes
