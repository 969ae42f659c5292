#include "core/ops/elementwise/unary.hpp"

#include "core/graph/infer_context.hpp"

namespace rondo::ops {
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

}  // namespace rondo::ops
