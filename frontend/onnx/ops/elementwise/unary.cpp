#include "core/ops/elementwise/unary.hpp"
#include "frontend/onnx/ops/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_relu(NodeContext& context) {
    return {context.make<ops::Unary>("", ops::UnaryFunction::relu, context.input(0))};
}

std::vector<Output> convert_sigmoid(NodeContext& context) {
    return {context.make<ops::Unary>("", ops::UnaryFunction::sigmoid, context.input(0))};
}

std::vector<Output> convert_sqrt(NodeContext& context) {
    return {context.make<ops::Unary>("", ops::UnaryFunction::sqrt, context.input(0))};
}

std::vector<Output> convert_tanh(NodeContext& context) {
    return {context.make<ops::Unary>("", ops::UnaryFunction::tanh, context.input(0))};
}

}  // namespace rondo::onnx
