#include "core/ops/elementwise/convert.hpp"

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

void Convert::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    context.check(destination_type_ != ElementType::dynamic,
                  "destination_type is missing or 'dynamic'; expected a type such as f32");
    context.set_output(0, destination_type_, context.shape(0));
}

}  // namespace rondo::ops
