// Where: Select.
#include "core/ops/elementwise/select.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_where(NodeContext& context) {
    return {context.make<ops::Select>("", context.input(0), context.input(1), context.input(2))};
}

}  // namespace rondo::onnx
