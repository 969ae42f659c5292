#include "transformations/recurrent/step_mask.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/reduction/cum_sum.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/reduction/top_k.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/pass/constants.hpp"

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

// Behind views, Converts of truth values and what turns them round.
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

struct MaskedFactor {
    Output value;
    StepMask mask;
};

// A mask times a value.
std::optional<MaskedFactor> masked_factor(const Output& product, const LoopRun& run) {
    const Node& node = product.node();
    if (!ops::is(node, BinaryFunction::multiply)) return {};
    for (const std::size_t i : {0U, 1U}) {
        if (auto mask = mask_of(node.input(i), run)) {
            return MaskedFactor{node.input(1 - i), *std::move(mask)};
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
        const bool are_both = one && other && one->mask.tensor == other->mask.tensor &&
                              one->mask.time_axis == other->mask.time_axis &&
                              one->mask.skips != other->mask.skips;
        if (are_both) found = {one->value, other->value, one->mask};
    }
    if (found && std::exchange(found->mask.skips, false)) {
        std::swap(found->where_true, found->where_false);
    }
    return found;
}

MaskedSteps::MaskedSteps(Rewriter& rewriter, const StepMask& mask, std::string name)
    : rewriter_(rewriter), name_(std::move(name)), takes_(mask.tensor) {
    if (takes_.shape().rank() == 3) {
        takes_ = rewriter_.make<ops::Squeeze>(this->name("mask"), takes_, ints("unit", {2}));
    }
    if (mask.time_axis == 0) {
        takes_ = rewriter_.make<ops::Transpose>(this->name("mask"), takes_, ints("order", {1, 0}));
    }
    if (mask.skips) {
        takes_ = rewriter_.make<ops::Unary>(this->name("taken"), ops::UnaryFunction::logical_not,
                                            takes_);
    }
    steps_ = rewriter_.make<ops::Convert>(this->name("steps"), takes_, ElementType::i32);
    counts_ = rewriter_.make<ops::CumSum>(this->name("counts"), steps_, number("time", 1),
                                          ops::Cumulation::Options{});
    // Steps that aren't taken come last, in any order.
    const Output key =
        rewriter_.make<ops::Select>(this->name("key"), takes_, counts_,
                                    number("last", std::numeric_limits<std::int32_t>::max()));
    const Output extents = rewriter_.make<ops::ShapeOf>(this->name("extents"), takes_);
    const Output steps =
        rewriter_.make<ops::Gather>(this->name("T"), extents, number("time", 1), number("zero", 0));
    ops::TopKAttributes by_count;
    by_count.axis = 1;
    by_count.mode = ops::TopKMode::min;
    order_ = Output(rewriter_.make<ops::TopK>(this->name("order"), key, steps, by_count), 1);
}

Output MaskedSteps::lengths() {
    return rewriter_.make<ops::Reduce>(name("lengths"), ops::ReduceFunction::sum, steps_,
                                       ints("time", {1}), false);
}

Output MaskedSteps::taken(const Output& x) {
    return rewriter_.make<ops::Gather>(name("X"), x, order_, number("time", 1), 1);
}

Output MaskedSteps::spread(const Output& y, const Output& first) {
    const Output some = rewriter_.make<ops::Select>(name("Y"), above_zero("begun", counts_, {2}),
                                                    steps_of(y), rows_of(first));
    return rewriter_.make<ops::Unsqueeze>(name("Y"), some, ints("direction", {1}));
}

Output MaskedSteps::or_else(const Output& y, const Output& other) {
    const Output column = rewriter_.make<ops::Unsqueeze>(name("taken"), takes_, ints("units", {2}));
    const Output some = rewriter_.make<ops::Select>(name("Y"), column, steps_of(y), rows_of(other));
    return rewriter_.make<ops::Unsqueeze>(name("Y"), some, ints("direction", {1}));
}

Output MaskedSteps::last(const Output& last, const Output& first) {
    return rewriter_.make<ops::Select>(name("last"), above_zero("any", lengths(), {1, 2}), last,
                                       rows_of(first));
}

// [N,T,H]: what the step gave that was taken last.
Output MaskedSteps::steps_of(const Output& y) {
    const Output before = rewriter_.make<ops::Binary>(name("place"), BinaryFunction::subtract,
                                                      counts_, number("one", 1));
    const Output place = rewriter_.make<ops::Binary>(name("place"), BinaryFunction::maximum, before,
                                                     number("zero", 0));
    const Output steps = rewriter_.make<ops::Squeeze>(name("Y"), y, ints("direction", {1}));
    return rewriter_.make<ops::Gather>(name("Y"), steps, place, number("time", 1), 1);
}

// With more axes of extent 1.
Output MaskedSteps::above_zero(const std::string& role, const Output& counts,
                               const std::vector<std::int64_t>& axes) {
    const Output above = rewriter_.make<ops::Compare>(name(role), ops::CompareFunction::greater,
                                                      counts, number("zero", 0));
    return rewriter_.make<ops::Unsqueeze>(name(role), above, ints("units", axes));
}

// [N,1,H], or one 0.
Output MaskedSteps::rows_of(const Output& first) {
    if (!first) {
        return rewriter_.make_scalar(name("zeros"), 0.0f);
    }
    const std::int64_t units = first.shape()[first.shape().rank() - 1].length();
    return rewriter_.make<ops::Reshape>(name("first"), first, ints("rows", {-1, 1, units}), false);
}

Output MaskedSteps::ints(const std::string& role, const std::vector<std::int64_t>& values) {
    return rewriter_.make_ints(name(role), values);
}

Output MaskedSteps::number(const std::string& role, std::int32_t value) {
    return rewriter_.make_scalar(name(role), value);
}

}  // namespace rondo::passes
