// Converts Gather.
#include "core/ops/movement/gather.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_gather(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(0);
    return {context.make<ops::Gather>("", context.input(0), context.input(1),
                                      make_int_scalar(context, "axis", axis))};
}

}  // namespace rondo::onnx
