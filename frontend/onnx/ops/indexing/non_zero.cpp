// Converts NonZero and Compress, which takes the elements at such places.
#include "core/ops/indexing/non_zero.hpp"

#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/indexing/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_non_zero(NodeContext& context) {
    return {context.make<ops::NonZero>("", context.input(0))};
}

// A condition that is shorter than the axis leaves the rest out. Without an axis the data count as
// one.
std::vector<Output> convert_compress(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    const Output input = context.input(0);
    const Output data = axis ? input : Output(make_reshape(context, "flat", input, {-1}));
    const Output condition = context.input(1);
    NodeContext::check_shape(condition, PartialShape::of_rank(1), "condition");
    const Output places =
        context.make<ops::Squeeze>("places", context.make<ops::NonZero>("is_taken", condition),
                                   make_ints(context, "places/axes", {0}));
    return {context.make<ops::Gather>("", data, places,
                                      make_int_scalar(context, "axis", axis.value_or(0)))};
}

}  // namespace rondo::onnx
