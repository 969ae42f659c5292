#include "transformations/common/passes.hpp"

#include "core/ops/control/if.hpp"
#include "transformations/common/inline_body.hpp"

namespace rondo::passes {
namespace {

void unroll(ops::If& node, Rewriter& rewriter) {
    const Tensor condition = known_value(node.input(0));
    if (!condition || condition.size() != 1) return;
    const std::size_t branch = ops::is_true(condition) ? ops::If::kThen : ops::If::kElse;
    const Graph& body = *node.bodies()[branch];
    std::vector<Output> parameters(body.parameters().size());
    for (const auto& port : node.ports(branch).inputs) {
        parameters[port.parameter] = node.input(port.input);
    }
    std::vector<std::size_t> results(node.ports(branch).outputs.size());
    for (const auto& port : node.ports(branch).outputs) results[port.output] = port.result;
    inline_body(rewriter, node, body, parameters, results);
}

}  // namespace

bool unroll_if(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::If>([&](const auto& node) { unroll(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
