#include "core/ops/elementwise/unary_elementwise.hpp"

#include <string>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

void FloatElementwise::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    const ElementType type = context.type(0);
    if (type != ElementType::dynamic && !is_floating(type)) {
        context.refuse("the input is " + std::string(to_string(type)) +
                       "; expected a floating type");
    }
    context.set_output(0, type, context.shape(0));
}

void Relu::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    if (context.type(0) == ElementType::boolean) {
        context.refuse("the input is boolean; expected numbers");
    }
    context.set_output(0, context.type(0), context.shape(0));
}

}  // namespace rondo::ops
