#include "core/ops/reference/evaluate.hpp"

#include <algorithm>

#include "core/graph/graph.hpp"
#include "core/graph/infer_context.hpp"
#include "core/ops/reference/control/evaluate_bodies.hpp"
#include "core/support/errors.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

Tensor allocated(const Node& node, ElementType type, const Shape& shape) {
    try {
        return at_place([&] { return describe(node); }, [&] { return Tensor(type, shape); });
    } catch (const OutOfMemoryError& error) {
        throw OutOfMemoryError(describe(node) + ": " + error.what());
    }
}

}  // namespace

std::vector<std::pair<ElementType, Shape>> infer_outputs(const Node& node,
                                                         std::span<const Tensor> inputs) {
    std::vector<InferInput> seen;
    for (const auto& input : inputs) seen.push_back({input.element_type(), input.shape(), input});
    InferContext context(node, std::move(seen));
    node.check_and_infer(context);
    std::vector<std::pair<ElementType, Shape>> result;
    for (const auto& output : context.outputs()) {
        result.emplace_back(output.type, output.shape.to_shape());
    }
    return result;
}

std::vector<Tensor> evaluate(const Node& node, std::span<const Tensor> inputs) {
    return evaluate(node, inputs, [] {});
}

std::vector<Tensor> evaluate(const Node& node, std::span<const Tensor> inputs,
                             FunctionRef<void()> before_each) {
    before_each();
    if (!node.bodies().empty()) {
        const auto inner = [&](const Node& each, std::span<const Tensor> values) {
            return evaluate(each, values, before_each);
        };
        std::vector<GraphEvaluation> bodies;
        for (const GraphPtr& body : node.bodies()) bodies.emplace_back(*body, inner);
        return evaluate_bodies(node, inputs, [&](std::size_t body, std::span<const Tensor> values) {
            return bodies[body].run(values);
        });
    }
    const Evaluator evaluator = find_evaluator(node.op_type());
    if (evaluator == nullptr) {
        throw UnsupportedError(describe(node) + ": the op has no reference evaluator");
    }
    std::vector<Tensor> outputs;
    for (const auto& [type, shape] : infer_outputs(node, inputs)) {
        outputs.push_back(allocated(node, type, shape));
    }
    evaluator(node, inputs, outputs);
    return outputs;
}

const Node* find_unevaluable(const Node& node) {
    if (node.bodies().empty()) {
        constexpr std::string_view kNoWork[] = {"Const", "Parameter", "Result"};
        const bool has_work = std::find(std::begin(kNoWork), std::end(kNoWork), node.type_name()) ==
                              std::end(kNoWork);
        return has_work && find_evaluator(node.op_type()) == nullptr ? &node : nullptr;
    }
    for (const GraphPtr& body : node.bodies()) {
        for (const NodePtr& inner : body->ordered_nodes()) {
            if (const Node* found = find_unevaluable(*inner)) return found;
        }
    }
    return nullptr;
}

}  // namespace rondo::reference
