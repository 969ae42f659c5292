#include "frontend/onnx/ops/building_blocks.hpp"
#include "frontend/onnx/ops/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kBooleanMaskSince = 10;

// Nothing is dropped in inference: the data passes, and the mask is all ones.
std::vector<Output> pass(NodeContext& context) {
    const Output data = context.input(0);
    if (!context.has_output(1)) return {data};
    const ElementType type = context.opset() >= kBooleanMaskSince
                                 ? ElementType::boolean
                                 : NodeContext::known_type(data, "data");
    const Output one = make_filled(context, "one", type, {}, 1);
    return {data, make_broadcast(context, "mask", one, make_shape_of(context, "shape", data))};
}

// Absent, or a constant false.
void check_inference(const Output& training_mode) {
    if (!training_mode) return;
    const Tensor known = training_mode.node().known_value(training_mode.index());
    const bool off = known && known.element_type() == ElementType::boolean && known.size() == 1 &&
                     !*known.data<bool>();
    if (off) return;
    throw UnsupportedError("training_mode is " + std::string(known ? "true" : "not constant") +
                           "; only inference is supported");
}

}  // namespace

std::vector<Output> convert_dropout_7(NodeContext& context) {
    context.attributes().find_float("ratio");
    return pass(context);
}

std::vector<Output> convert_dropout_12(NodeContext& context) {
    context.attributes().find_int("seed");
    context.optional_input(1);
    check_inference(context.optional_input(2));
    return pass(context);
}

}  // namespace rondo::onnx
