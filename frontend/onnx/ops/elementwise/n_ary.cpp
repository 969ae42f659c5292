// Arithmetic of any number of tensors, as a chain of binary ops: a row an operator.
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

constexpr std::int64_t kBroadcastSince = 8;

// From left to right. `role` names the last op; one input passes as it is.
Output chain(NodeContext& context, BinaryFunction function, const std::string& role) {
    skip_consumed_inputs(context);
    const auto inputs = context.all_inputs(1);
    Output result = inputs.front();
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        const auto node = std::make_shared<ops::Binary>(function, result, inputs[i]);
        if (context.opset() < kBroadcastSince) node->set_auto_broadcast(ops::AutoBroadcast::none);
        const bool is_last = i + 1 == inputs.size();
        result = context.finish(node, is_last ? role : "part_" + std::to_string(i));
    }
    return result;
}

}  // namespace

std::vector<Output> convert_n_ary(NodeContext& context, BinaryFunction function) {
    return {chain(context, function, "")};
}

std::vector<Output> convert_mean(NodeContext& context) {
    const Output sum = chain(context, BinaryFunction::add, "sum");
    const ElementType type = NodeContext::known_type(sum, "data_0");
    const auto count = static_cast<double>(context.input_count());
    return {context.make<ops::Binary>("", BinaryFunction::divide, sum,
                                      make_filled(context, "count", type, {}, count))};
}

// x + bias + skip.
std::vector<Output> convert_bias_add(NodeContext& context) {
    const Output sum = make_sum(context, "sum", context.input(0), context.input(1));
    return {make_sum(context, "", sum, context.input(2))};
}

}  // namespace rondo::onnx
