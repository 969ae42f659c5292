#include "core/ops/elementwise/select.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/type_rule.hpp"

namespace rondo::ops {

void Select::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    check_type(context, TypeRule::boolean, context.type(0), "the condition is");
    const ElementType type = context.merge_types({1, 2});
    const PartialShape values = common_shape(context, context.shape(1), context.shape(2));
    context.set_output(0, type, common_shape(context, context.shape(0), values));
}

}  // namespace rondo::ops
