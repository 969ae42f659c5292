#include "core/ops/product/matmul.hpp"

#include "frontend/onnx/ops/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_matmul(NodeContext& context) {
    return {context.make<ops::MatMul>("", context.input(0), context.input(1))};
}

}  // namespace rondo::onnx
