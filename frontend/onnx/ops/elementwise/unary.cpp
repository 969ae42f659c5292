// Functions of one tensor: a row an operator.
#include "core/ops/elementwise/unary.hpp"

#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {

using ops::UnaryFunction;

std::vector<Output> convert_unary(NodeContext& context, UnaryFunction function) {
    skip_consumed_inputs(context);
    return {context.make<ops::Unary>("", function, context.input(0))};
}

}  // namespace rondo::onnx
