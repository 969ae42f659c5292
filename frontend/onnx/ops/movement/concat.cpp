#include "core/ops/movement/concat.hpp"
#include "frontend/onnx/ops/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

std::vector<Output> convert_concat(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    if (!axis) throw ModelError("attribute 'axis' is missing");
    return {context.make<ops::Concat>("", context.all_inputs(1), *axis)};
}

}  // namespace rondo::onnx
