// Converts ConstantOfShape.
#include "core/ops/source/constant.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/source/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

Tensor value_of(NodeContext& context) {
    const auto* message = context.attributes().find_tensor("value");
    if (!message) return Tensor(ElementType::f32, {});
    const Tensor value = context.read_tensor(*message);
    if (value.size() != 1) {
        throw ModelError("attribute 'value' has shape " + to_string(value.shape()) +
                         "; expected one element");
    }
    return value.reshaped({});
}

}  // namespace

std::vector<Output> convert_constant_of_shape(NodeContext& context) {
    const Output value = context.make<ops::Constant>("value", value_of(context));
    return {make_broadcast(context, "", value, context.input(0))};
}

}  // namespace rondo::onnx
