#include "transformations/common/fold_constants.hpp"

#include "core/ops/constant.hpp"
#include "core/ops/convert.hpp"
#include "core/ops/recurrent_op.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/result.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

constexpr std::size_t kSmallBytes = 64 * 1024;
constexpr std::size_t kMostGrowth = 4;

bool is_wanted(const Node& node) {
    const bool decompresses = dynamic_cast<const ops::Convert*>(&node) != nullptr &&
                              node.rt_info().contains("decompression");
    return node.input_count() > 0 && !decompresses &&
           dynamic_cast<const ops::Result*>(&node) == nullptr &&
           dynamic_cast<const ops::RecurrentOp*>(&node) == nullptr &&
           reference::find_evaluator(node.op_type()) != nullptr;
}

// The values of all inputs, or none while one isn't known.
std::vector<Tensor> input_values(const Node& node) {
    std::vector<Tensor> values;
    for (const auto& input : node.inputs()) {
        values.push_back(constant_value(input));
        if (!values.back()) return {};
    }
    return values;
}

// Judged before anything is computed: a hostile shape must not take the memory.
bool blows_up(const Node& node, const std::vector<Tensor>& inputs) {
    std::size_t input_bytes = 0;
    for (const auto& input : inputs) input_bytes += input.byte_size();
    std::size_t output_bytes = 0;
    for (const auto& [type, shape] : reference::infer_outputs(node, inputs)) {
        output_bytes += element_count(shape) * size_of(type);
    }
    return output_bytes > kSmallBytes && output_bytes / kMostGrowth > input_bytes;
}

// `name` is the node's, before its first output handed it on.
void replace_by_constant(const Output& output, const std::string& name, Tensor value,
                         Rewriter& rewriter) {
    if (output.consumers().empty()) return;
    const std::string suffix = output.index() == 0 ? "" : "." + std::to_string(output.index());
    rewriter.replace(output, rewriter.make_constant(name + suffix, std::move(value)));
}

void fold(Node& node, Rewriter& rewriter) {
    if (dynamic_cast<const ops::Constant*>(&node) != nullptr || node.output_count() == 0) return;
    const std::string name = node.name();
    if (const Tensor value = node.known_value(0)) {  // the shape of something
        replace_by_constant(node.output(0), name, value, rewriter);
        return;
    }
    if (!is_wanted(node)) return;
    const auto inputs = input_values(node);
    if (inputs.empty() || blows_up(node, inputs)) return;
    const auto values = reference::evaluate(node, inputs);
    for (std::size_t i = 0; i < values.size(); ++i) {
        replace_by_constant(node.output(i), name, values[i], rewriter);
    }
}

}  // namespace

bool fold_constants(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const auto& node) { fold(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
