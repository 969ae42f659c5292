#include "core/ops/elementwise/compare.hpp"

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

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

}  // namespace rondo::ops
