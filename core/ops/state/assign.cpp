#include "core/ops/state/assign.hpp"

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

void AssignBase::infer(InferContext& context) const {
    context.check(!variable_id_.empty(), "variable_id is missing or empty");
    context.check_input_count(1, 1);
    context.set_output(0, context.type(0), context.shape(0));
}

}  // namespace rondo::ops
