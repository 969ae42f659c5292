#include "core/ops/reference/evaluate.hpp"

#include "core/graph/infer_context.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {

std::vector<std::pair<ElementType, Shape>> infer_outputs(const Node& node,
                                                         std::span<const Tensor> inputs) {
    std::vector<InferInput> seen;
    for (const auto& input : inputs) seen.push_back({input.element_type(), input.shape(), input});
    InferContext context(node.name(), node.type_name(), std::move(seen));
    node.infer(context);
    std::vector<std::pair<ElementType, Shape>> result;
    for (const auto& output : context.outputs()) {
        result.emplace_back(output.type, output.shape.to_shape());
    }
    return result;
}

std::vector<Tensor> evaluate(const Node& node, std::span<const Tensor> inputs) {
    const Evaluator evaluator = find_evaluator(node.op_type());
    if (evaluator == nullptr) {
        throw UnsupportedError(describe(node) + ": the op has no reference evaluator");
    }
    std::vector<Tensor> outputs;
    for (const auto& [type, shape] : infer_outputs(node, inputs)) outputs.emplace_back(type, shape);
    evaluator(node, inputs, outputs);
    return outputs;
}

}  // namespace rondo::reference
