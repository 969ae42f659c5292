#include "core/ops/elementwise/elementwise_ops.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/elementwise/broadcasting.hpp"

namespace rondo::ops {

PartialShape Broadcasting::common_shape(const InferContext& context, const PartialShape& a,
                                        const PartialShape& b) const {
    if (auto_broadcast_ == AutoBroadcast::pdpd) {
        context.refuse("auto_broadcast is 'pdpd'; expected 'numpy' or 'none'");
    }
    if (auto_broadcast_ == AutoBroadcast::numpy) return broadcast_shapes(context, a, b);
    const auto common = a.intersect(b);
    if (!common) {
        context.fail("the inputs have shapes " + to_string(a) + " and " + to_string(b) +
                     "; expected equal ones, as auto_broadcast is 'none'");
    }
    return *common;
}

void Unary::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    check_type(context, info_->types, context.type(0), "the input is");
    if (mode_ != RoundMode::to_even) {
        context.refuse("mode is 'half_away_from_zero'; expected 'half_to_even'");
    }
    context.set_output(0, context.type(0), context.shape(0));
}

bool is(const Node& node, UnaryFunction function) {
    const auto* unary = as_op<Unary>(node);
    return unary != nullptr && unary->function() == function;
}

void Binary::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.merge_types({0, 1});
    check_type(context, info_->types, type, "the inputs are");
    context.set_output(0, type, common_shape(context, context.shape(0), context.shape(1)));
}

bool is(const Node& node, BinaryFunction function) {
    const auto* binary = as_op<Binary>(node);
    return binary != nullptr && binary->function() == function;
}

void Compare::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    check_type(context, info_->types, context.merge_types({0, 1}), "the inputs are");
    context.set_output(0, ElementType::boolean,
                       common_shape(context, context.shape(0), context.shape(1)));
}

bool is(const Node& node, CompareFunction function) {
    const auto* compare = as_op<Compare>(node);
    return compare != nullptr && compare->function() == function;
}

void Logical::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    check_type(context, TypeRule::boolean, context.merge_types({0, 1}), "the inputs are");
    context.set_output(0, ElementType::boolean,
                       common_shape(context, context.shape(0), context.shape(1)));
}

bool is(const Node& node, LogicalFunction function) {
    const auto* logical = as_op<Logical>(node);
    return logical != nullptr && logical->function() == function;
}

void Select::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    check_type(context, TypeRule::boolean, context.type(0), "the condition is");
    const ElementType type = context.merge_types({1, 2});
    const PartialShape values = common_shape(context, context.shape(1), context.shape(2));
    context.set_output(0, type, common_shape(context, context.shape(0), values));
}

}  // namespace rondo::ops
