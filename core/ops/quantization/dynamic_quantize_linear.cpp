#include "core/ops/quantization/dynamic_quantize_linear.hpp"

#include <string>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

void DynamicQuantizeLinear::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    const ElementType type = context.type(0);
    if (type != ElementType::f32 && type != ElementType::dynamic) {
        context.refuse("the input has type " + std::string(to_string(type)) + "; expected f32");
    }
    const PartialShape scalar(std::vector<Dimension>{});
    context.set_output(0, ElementType::u8, context.shape(0));
    context.set_output(1, ElementType::f32, scalar);
    context.set_output(2, ElementType::u8, scalar);
}

}  // namespace rondo::ops
