#include "core/ops/elementwise/unary_elementwise.hpp"
#include "frontend/onnx/ops/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_relu(NodeContext& context) {
    return {context.make<ops::Relu>("", context.input(0))};
}

std::vector<Output> convert_sigmoid(NodeContext& context) {
    return {context.make<ops::Sigmoid>("", context.input(0))};
}

std::vector<Output> convert_sqrt(NodeContext& context) {
    return {context.make<ops::Sqrt>("", context.input(0))};
}

std::vector<Output> convert_tanh(NodeContext& context) {
    return {context.make<ops::Tanh>("", context.input(0))};
}

}  // namespace rondo::onnx
