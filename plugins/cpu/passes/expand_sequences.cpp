#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/printer.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/unique_names.hpp"
#include "plugins/cpu/ops/default_input.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"
#include "transformations/analysis/views.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

bool is_fused(const NodePtr& node) {
    return as<StridedSequence>(node) != nullptr || as<SequenceStack>(node) != nullptr;
}

bool same_memory(const Tensor& a, const Tensor& b) {
    if (!a || !b) return !a && !b;
    return a.strided_data() == b.strided_data() && a.strides() == b.strides();
}

// Both compute the same from the same inputs; constants are the same if they share their memory.
bool are_twins(const Node& a, const Node& b) {
    return a.op_type().name == b.op_type().name && a.inputs() == b.inputs() &&
           attributes_of(a) == attributes_of(b) && same_memory(a.known_value(0), b.known_value(0));
}

class Expander {
public:
    // Fused nodes are about to be removed, which frees their names for their parts.
    explicit Expander(const std::vector<NodePtr>& nodes) {
        for (const auto& node : nodes) {
            if (is_fused(node)) continue;
            names_.insert(node->name());
            named_.emplace(node->name(), node);
        }
    }

    void expand(StridedSequence& ordered) {
        const RecurrentOp& sequence = ordered.sequence();
        const SequenceOrder& order = ordered.order();
        const auto& all = ordered.transposes();
        std::vector<Output> inputs = ordered.inputs();
        turn(inputs[sequence.x_port()], order.x, all, Turned::x);
        turn(inputs[sequence.h_port()], order.first, all, Turned::h0);
        if (sequence.c_port() != RecurrentOp::npos) {
            turn(inputs[sequence.c_port()], order.first, all, Turned::c0);
        }
        spell_out(inputs, sequence);
        const NodePtr made = add_sequence(sequence, std::move(inputs));
        constexpr std::array kTensors{Turned::y, Turned::ho, Turned::co};
        for (std::size_t i = 0; i < made->output_count(); ++i) {
            Output output = made->output(i);
            turn(output, i == 0 ? order.y : order.last, all, kTensors[i]);
            ordered.output(i).replace_with(output);
        }
    }

    void expand(SequenceStack& stack) {
        Output x = stack.input(SequenceStack::kX);
        turn(x, stack.order().x, stack.transposes(), Turned::x);
        for (std::size_t i = 0; i < stack.layers().size(); ++i) {
            const RecurrentOp& layer = *stack.layers()[i];
            const SequenceStack::Ports ports = stack.ports(i);
            std::vector<Output> inputs(layer.w_port());
            inputs[layer.x_port()] = i == 0 ? x : handed_on(x, layer.name());
            inputs[layer.h_port()] = stack.input(ports.h);
            if (layer.c_port() != RecurrentOp::npos) inputs[layer.c_port()] = stack.input(ports.c);
            inputs[layer.lengths_port()] = stack.input(SequenceStack::kLengths);
            spell_out(inputs, layer);
            const NodePtr made = add_sequence(layer, std::move(inputs));
            for (std::size_t k = 0; k < made->output_count(); ++k) {
                Output output = made->output(k);
                if (ports.y + k == stack.highest_y()) {
                    turn(output, stack.order().y, stack.transposes(), Turned::y);
                }
                stack.output(ports.y + k).replace_with(output);
            }
            x = made->output(0);
        }
    }

private:
    using Turned = FusedTranspose::Tensor;

    // The node under its name, with a number appended if another has that. Layers may share a
    // weight or the Transpose before them, also with nodes that are still in the graph: then this
    // is the existing node.
    NodePtr add(const NodePtr& node) {
        const auto [begin, end] = named_.equal_range(node->name());
        for (auto at = begin; at != end; ++at) {
            if (are_twins(*node, *at->second)) return at->second;
        }
        named_.emplace(node->name(), node);
        node->set_name(names_.take(node->name()));
        return node;
    }

    // Copies a constant and the Converts after it.
    Output copy_of_constant(const Output& source) {
        std::vector<Output> inputs;
        for (const Output& input : source.node().inputs()) {
            inputs.push_back(copy_of_constant(input));
        }
        const NodePtr copy = source.node().clone_with(std::move(inputs));
        copy->output(source.index()).set_names(source.names());
        return {add(copy), source.index()};
    }

    // N or T of X, as a vector of one element.
    Output extent_of(const Output& x, std::int64_t axis, const std::string& name) {
        if (const Dimension& extent = x.shape()[static_cast<std::size_t>(axis)];
            extent.is_static()) {
            return add(ops::make_i64({extent.length()}, name));
        }
        return named<ops::Gather>(name, named<ops::ShapeOf>(name + "/shape", x),
                                  add(ops::make_i64({axis}, name + "/axes")),
                                  add(ops::make_i64({0}, name + "/axis")));
    }

    // What the joined op implied, as tensors of X [N,T,I]. Layers share what is equal.
    void spell_out(std::vector<Output>& inputs, const RecurrentOp& layer) {
        const std::string name = layer.name() + "/implied";
        const Output x = inputs[layer.x_port()];
        const auto directions = static_cast<std::int64_t>(layer.num_directions());
        Output& lengths = inputs[layer.lengths_port()];
        if (is_default(lengths)) {
            lengths = named<ops::Broadcast>(name + "/lengths", extent_of(x, 1, name + "/T"),
                                            extent_of(x, 0, name + "/N"));
        }
        for (const std::size_t port : {layer.h_port(), layer.c_port()}) {
            if (port == RecurrentOp::npos || !is_default(inputs[port])) continue;
            const Output rest =
                add(ops::make_i64({directions, layer.hidden_size()}, name + "/rest"));
            const Output shape = named<ops::Concat>(
                name + "/shape", std::vector<Output>{extent_of(x, 0, name + "/N"), rest}, 0);
            Tensor zero(layer.output_type(0), {});
            std::fill_n(static_cast<char*>(zero.data()), zero.byte_size(), '\0');
            inputs[port] = named<ops::Broadcast>(name + "/zeros",
                                                 named<ops::Constant>(name + "/zero", zero), shape);
        }
    }

    template <typename T, typename... Args>
    Output named(const std::string& name, Args&&... args) {
        const NodePtr node = make_node<T>(std::forward<Args>(args)...);
        node->set_name(name);
        return {add(node), 0};
    }

    // `inputs`: those before W.
    NodePtr add_sequence(const RecurrentOp& sequence, std::vector<Output> inputs) {
        for (std::size_t i = sequence.w_port(); i < sequence.input_count(); ++i) {
            inputs.push_back(copy_of_constant(sequence.input(i)));
        }
        return add(sequence.clone_with(std::move(inputs)));
    }

    // Puts back the Transpose of a tensor, unless that is implied or not read.
    void turn(Output& data, const std::vector<std::size_t>& order,
              const StridedSequence::Transposes& all, Turned tensor) {
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&](const auto& one) { return one.tensor == tensor; });
        if (passes::is_identity(order) || is_default(data) || found == all.end()) return;
        const ops::Transpose& transpose = *found->node;
        data = Output(add(transpose.clone_with({data, copy_of_constant(transpose.input(1))})), 0);
    }

    // Named after the layer that reads it; the original views are gone.
    Output handed_on(const Output& y, const std::string& reader) {
        const NodePtr axes = add(ops::make_i64({1}, reader + "/X/axes"));
        const NodePtr squeeze = make_node<ops::Squeeze>(y, axes);
        squeeze->set_name(reader + "/X");
        return {add(squeeze), 0};
    }

    UniqueNames names_{2};
    std::unordered_multimap<std::string, NodePtr> named_;  // by the name that was wanted
};

}  // namespace

bool expand_sequences(Graph& graph) {
    const std::vector<NodePtr> nodes = graph.ordered_nodes();
    if (std::none_of(nodes.begin(), nodes.end(), is_fused)) return false;
    Expander expander(nodes);
    for (const auto& node : nodes) {
        if (const auto ordered = as<StridedSequence>(node)) expander.expand(*ordered);
        if (const auto stack = as<SequenceStack>(node)) expander.expand(*stack);
    }
    return true;
}

}  // namespace rondo::cpu
