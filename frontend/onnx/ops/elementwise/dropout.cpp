// Converts Dropout, which passes its data in inference.
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Absent, or a constant false.
void check_inference(const Output& training_mode) {
    if (!training_mode) return;
    const Tensor known = known_value(training_mode);
    const bool off = known && known.element_type() == ElementType::boolean && known.size() == 1 &&
                     !*known.data<bool>();
    if (off) return;
    throw UnsupportedError("training_mode is " + std::string(known ? "true" : "not constant") +
                           "; only inference is supported");
}

}  // namespace

// Training is what the node says unless is_test is set.
std::vector<Output> convert_dropout_1(NodeContext& context) {
    skip_consumed_inputs(context);
    context.attributes().find_float("ratio");
    if (!context.attributes().flag("is_test", false)) {
        throw UnsupportedError("attribute 'is_test' is 0; only inference is supported");
    }
    return {context.input(0), Output()};
}

// Nothing is dropped in inference: the data passes. Before opset 12 the mask's values are
// undefined, so no node may read it.
std::vector<Output> convert_dropout_7(NodeContext& context) {
    context.attributes().find_float("ratio");
    return {context.input(0), Output()};
}

// Since opset 12 the mask is all true in inference.
std::vector<Output> convert_dropout_12(NodeContext& context) {
    context.attributes().find_int("seed");
    context.optional_input(1);  // the ratio
    check_inference(context.optional_input(2));
    const Output data = context.input(0);
    if (!context.has_output(1)) return {data};
    const Output kept = make_filled(context, "kept", ElementType::boolean, {}, 1);
    return {data, make_broadcast(context, "mask", kept, make_shape_of(context, "shape", data))};
}

}  // namespace rondo::onnx
