// Converts Squeeze and Unsqueeze, and ExpandDims of com.microsoft.
#include "core/ops/movement/squeeze.hpp"

#include "core/ops/movement/unsqueeze.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Before opset 13 the axes are an attribute.
Output axes_attribute(NodeContext& context) {
    const auto axes = context.attributes().find_ints("axes");
    return axes ? make_ints(context, "axes", *axes) : Output();
}

// Axes that are given but empty: ONNX's reference removes nothing, onnxruntime every 1.
void refuse_empty(const Output& axes) {
    if (axes.shape() != PartialShape(Shape{0})) return;
    throw UnsupportedError(
        "axes are given but empty, which runtimes read in different ways; "
        "expected axes, or none given");
}

std::vector<Output> squeeze(NodeContext& context, const Output& axes) {
    const Output data = context.input(0);
    if (!axes) return {context.make<ops::Squeeze>("", data)};
    refuse_empty(axes);
    return {context.make<ops::Squeeze>("", data, axes)};
}

}  // namespace

std::vector<Output> convert_squeeze_1(NodeContext& context) {
    return squeeze(context, axes_attribute(context));
}

std::vector<Output> convert_squeeze_13(NodeContext& context) {
    return squeeze(context, context.optional_input(1));
}

std::vector<Output> convert_unsqueeze_1(NodeContext& context) {
    const Output axes = axes_attribute(context);
    if (!axes) throw ModelError("attribute 'axes' is missing");
    return {context.make<ops::Unsqueeze>("", context.input(0), axes)};
}

std::vector<Output> convert_unsqueeze_13(NodeContext& context) {
    return {context.make<ops::Unsqueeze>("", context.input(0), context.input(1))};
}

}  // namespace rondo::onnx
