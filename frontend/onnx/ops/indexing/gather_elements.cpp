// Converts GatherElements.
#include "core/ops/indexing/gather_elements.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/indexing/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_gather_elements(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    return {context.make<ops::GatherElements>("", context.input(0), context.input(1), axis)};
}

}  // namespace rondo::onnx
