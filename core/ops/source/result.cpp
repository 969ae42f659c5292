#include "core/ops/source/result.hpp"

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

void Result::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    context.set_output(0, context.type(0), context.shape(0));
}

}  // namespace rondo::ops
