#include "core/ops/elementwise/logical.hpp"

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

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

}  // namespace rondo::ops
