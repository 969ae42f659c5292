// Says in other ways what nodes say by an input without elements, which OpenVINO refuses or dies
// on.
#include "core/ir/ir.hpp"

#include <numeric>

#include "core/graph/infer_context.hpp"
#include "core/graph/origins.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/window/samplers.hpp"
#include "core/support/unique_names.hpp"

namespace rondo::ir {
namespace {

bool is_empty(const Output& input) {
    const Tensor value = known_value(input);
    return value && value.size() == 0;
}

bool is_reversed(const Node& node) {
    if (as_op<ops::Transpose>(node) == nullptr || !is_empty(node.input(1))) return false;
    const PartialShape& data = node.input(0).shape();
    return data.has_rank() && data.rank() > 0;
}

bool is_broadcast_of_scalar(const Node& node) {
    const auto* broadcast = as_op<ops::Broadcast>(node);
    if (broadcast == nullptr) return false;
    const PartialShape& data = node.input(0).shape();
    return broadcast->mode() == ops::BroadcastMode::bidirectional ||
           (data.has_rank() && data.rank() == 0);
}

bool may_change_nothing(const Node& node) {
    return as_op<ops::Unsqueeze>(node) != nullptr || as_op<ops::Tile>(node) != nullptr ||
           as_op<ops::Slice>(node) != nullptr || as_op<ops::StridedSlice>(node) != nullptr ||
           as_op<ops::Pad>(node) != nullptr || as_op<ops::Interpolate>(node) != nullptr ||
           is_broadcast_of_scalar(node);
}

bool changes_nothing(const Node& node) {
    return may_change_nothing(node) && is_empty(node.input(1)) &&
           node.output_type(0) != ElementType::dynamic &&
           node.input(0).shape() == node.output_shape(0);
}

bool gathers_nothing(const Node& node) {
    return as_op<ops::Gather>(node) != nullptr && is_empty(node.input(1)) &&
           node.output_type(0) != ElementType::dynamic && node.output_shape(0).is_static();
}

void replace(Node& node, const NodePtr& by) {
    stand_for(*by, node);
    by->rt_info() = node.rt_info();
    node.output(0).replace_with(by);
}

void write_out(Node& node, UniqueNames& names) {
    if (is_reversed(node)) {
        std::vector<std::int64_t> order(node.input(0).shape().rank());
        std::iota(order.rbegin(), order.rend(), 0);
        node.set_input(1, ops::make_i64(order, names.take_underscored(node.name() + "/order")));
    } else if (changes_nothing(node)) {
        replace(node, make_node<ops::Convert>(node.input(0), node.output_type(0)));
    } else if (gathers_nothing(node)) {
        replace(node, make_node<ops::Constant>(
                          Tensor(node.output_type(0), node.output_shape(0).to_shape())));
    }
}

bool needs_change(const Node& node) {
    return is_reversed(node) || changes_nothing(node) || gathers_nothing(node);
}

}  // namespace

std::shared_ptr<Graph> without_empty_inputs(const Graph& graph) {
    bool is_needed = false;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) is_needed = is_needed || needs_change(*node);
    });
    if (!is_needed) return nullptr;
    auto copy = graph.clone();
    for_each_graph(*copy, [](Graph& part) {
        const auto nodes = part.ordered_nodes();
        UniqueNames names;
        for (const auto& node : nodes) names.insert(node->name());
        for (const auto& node : nodes) write_out(*node, names);
    });
    return copy;
}

}  // namespace rondo::ir
