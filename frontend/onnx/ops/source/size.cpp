// Converts Size: the product of the extents.
#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/source/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_size(NodeContext& context) {
    const Output shape = make_shape_of(context, "shape", context.input(0));
    return {context.make<ops::Reduce>("", ops::ReduceFunction::prod, shape,
                                      make_ints(context, "axes", {0}), false)};
}

}  // namespace rondo::onnx
