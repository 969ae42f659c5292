#include "core/runtime/model/model_view.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/graph/infer_context.hpp"
#include "core/graph/printer.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"

namespace rondo {
namespace {

PortInfo port_info(Node& node, std::size_t index) {
    const auto& names = node.output(index).names();
    PortInfo port;
    port.names.assign(names.begin(), names.end());
    if (port.names.empty()) port.names.push_back(node.name());
    port.element_type = node.output_type(index);
    port.shape = node.output_shape(index);
    return port;
}

std::vector<NodeInfo::Body> bodies_of(const Node& node) {
    std::vector<NodeInfo::Body> bodies;
    const auto* op = dynamic_cast<const ops::BodyOp*>(&node);
    if (op == nullptr) return bodies;
    const std::vector<std::string> names = op->body_names();
    for (std::size_t i = 0; i < op->bodies().size(); ++i) {
        bodies.push_back({names[i], ops::place_of_body(*op, i), node_infos(*op->bodies()[i])});
    }
    return bodies;
}

NodeInfo node_info(Node& node, const std::unordered_map<const Node*, std::size_t>& numbers) {
    NodeInfo info;
    info.name = node.name();
    info.type = node.type_name();
    info.opset = node.op_type().opset_name();
    info.attributes = attributes_of(node);
    for (const auto& source : node.inputs()) {
        info.inputs.push_back({numbers.at(&source.node()), source.index()});
    }
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        info.outputs.push_back(port_info(node, i));
    }
    if (const auto* constant = dynamic_cast<const ops::Constant*>(&node)) {
        info.constant_bytes = constant->value().byte_size();
        info.constant_data = constant->value().strided_data();
    }
    info.facts.assign(node.rt_info().begin(), node.rt_info().end());
    info.bodies = bodies_of(node);
    return info;
}

std::optional<ValueRange> known_extent(const PartialShape& shape, std::size_t axis,
                                       std::int64_t first) {
    if (!shape.has_rank() || axis >= shape.rank() || !shape[axis].is_static()) return std::nullopt;
    const std::int64_t extent = shape[axis].length();
    if (extent == 0) return first == 0 ? std::nullopt : std::optional(ValueRange{0, 0});
    return ValueRange{first, first == 0 ? extent - 1 : extent};
}

// The values that one reader of a port allows.
std::optional<ValueRange> demanded(const Consumer& consumer) {
    Node& node = *consumer.node;
    if (const auto* recurrent = as_op<ops::RecurrentOp>(node)) {
        if (consumer.input != recurrent->lengths_port()) return std::nullopt;
        return known_extent(node.input(0).shape(), 1, 1);
    }
    if (as_op<ops::Gather>(node) != nullptr && consumer.input == 1) {
        const Tensor axis = known_value(node.input(2));
        const PartialShape& data = node.input(0).shape();
        if (!axis || axis.size() != 1 || !data.has_rank()) return std::nullopt;
        std::int64_t at = to_int64_vector(axis).front();
        if (at < 0) at += static_cast<std::int64_t>(data.rank());
        return at < 0 ? std::nullopt : known_extent(data, static_cast<std::size_t>(at), 0);
    }
    const OpTraits traits = node.traits();
    const bool passes_on = (traits.moves_elements && node.output_count() == 1 &&
                            consumer.input < traits.data_inputs) ||
                           as_op<ops::Convert>(node) != nullptr;
    if (passes_on) return range_of_values(node.output(0));
    return std::nullopt;
}

}  // namespace

std::vector<NodeInfo> node_infos(const Graph& graph) {
    std::unordered_map<const Node*, std::size_t> numbers;
    std::vector<NodeInfo> infos;
    for (const auto& node : graph.ordered_nodes()) {
        numbers.emplace(node.get(), infos.size());
        infos.push_back(node_info(*node, numbers));
    }
    return infos;
}

std::optional<ValueRange> range_of_values(const Output& port) {
    std::optional<ValueRange> range;
    for (const auto& consumer : port.consumers()) {
        const auto found = demanded(consumer);
        if (!found) continue;
        if (!range) {
            range = found;
        } else {
            range = ValueRange{std::max(range->min, found->min), std::min(range->max, found->max)};
        }
    }
    return range;
}

}  // namespace rondo
