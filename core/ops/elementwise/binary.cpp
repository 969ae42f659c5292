#include "core/ops/elementwise/binary.hpp"

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

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

}  // namespace rondo::ops
