// Converts Det.
#include "core/ops/product/det.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/product/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_det(NodeContext& context) {
    return {context.make<ops::Det>("", context.input(0))};
}

}  // namespace rondo::onnx
