// Converts Concat.
#include "core/ops/movement/concat.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

// Before opset 4 the axis may be absent: 1.
std::vector<Output> convert_concat_1(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(1);
    return {context.make<ops::Concat>("", context.all_inputs(1), axis)};
}

std::vector<Output> convert_concat_4(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    if (!axis) throw ModelError("attribute 'axis' is missing");
    return {context.make<ops::Concat>("", context.all_inputs(1), *axis)};
}

}  // namespace rondo::onnx
