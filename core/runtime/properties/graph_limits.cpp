// Holds a graph to the user's limits.
#include "core/runtime/properties/property_values.hpp"

#include <algorithm>
#include <limits>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/limits.hpp"
#include "rondo/error.hpp"
#include "rondo/properties.hpp"

namespace rondo {
namespace {

void check_constant(const Node& node, const ModelLimits& limits) {
    const auto* constant = dynamic_cast<const ops::Constant*>(&node);
    if (limits.tensor_bytes == 0 || constant == nullptr) return;
    const std::size_t bytes = constant->value().byte_size();
    if (bytes <= limits.tensor_bytes) return;
    throw ModelError(describe(node) + ": the constant has " + std::to_string(bytes) + " bytes; " +
                     limit_text(limits.tensor_bytes, property::kMaxTensorBytes));
}

// `bodies` and `loops` are around the graph. Ends if there are too many.
void check_depth(const Graph& graph, const ModelLimits& limits, std::size_t bodies,
                 std::size_t loops) {
    check_nesting(bodies, loops, limits);
    for (const auto& node : graph.ordered_nodes()) {
        const bool is_loop = dynamic_cast<const ops::IteratedOp*>(node.get()) != nullptr;
        for (const auto& body : node->bodies()) {
            check_depth(*body, limits, bodies + 1, loops + (is_loop ? 1 : 0));
        }
    }
}

}  // namespace

void check_limits(const Graph& graph, const ModelLimits& limits) {
    check_depth(graph, limits, 0, 0);
    std::size_t nodes = 0;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            ++nodes;
            check_constant(*node, limits);
        }
    });
    if (nodes <= limits.nodes) return;
    throw UnsupportedError("the model '" + graph.name() + "' has " + std::to_string(nodes) +
                           " nodes; " + limit_text(limits.nodes, property::kMaxNodes));
}

void set_limits(Graph& graph, const ModelLimits& limits) {
    if (limits.folded_bytes > 0) {
        const std::size_t held = ops::constant_bytes(graph);
        constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
        graph.set_constants_limit(held + std::min(limits.folded_bytes, kMost - held));
    }
    for_each_graph(graph, [&](Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            if (auto* loop = dynamic_cast<ops::IteratedOp*>(node.get())) {
                loop->set_most_iterations(limits.iterations);
            }
        }
    });
}

}  // namespace rondo
