#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/extents/extent_origin.hpp"
#include "core/extents/full_lengths.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "plugins/cpu/ops/detached.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;
using LayerPtr = std::shared_ptr<RecurrentOp>;

bool keeps_order(const Node& node) {
    if (node.traits().view) return true;
    const auto order = passes::order_of(node);
    return order && passes::moves_only_unit_axes(*order, node.input(0).shape());
}

bool can_stack(const RecurrentOp& op) {
    return op.is_sequence() && op.num_directions() == 1 && is_floating(op.output_type(0)) &&
           passes::has_constant_weights(op);
}

// X [N,T,H], which holds the elements of Y in their order, has Y's extents [N,1,T,H] too.
bool fits(const Output& x, const Output& y) {
    const auto has_rank = [](const Output& of, std::size_t rank) {
        return of.shape().has_rank() && of.shape().rank() == rank;
    };
    return has_rank(x, 3) && has_rank(y, 4) && same_extent(x, 0, y, 0) && same_extent(x, 1, y, 2) &&
           same_extent(x, 2, y, 3);
}

bool same_constants(const Output& a, const Output& b) {
    const Tensor in_a = known_value(a), in_b = known_value(b);
    return in_a && in_b && to_int64_vector(in_a) == to_int64_vector(in_b);
}

bool same_lengths(const RecurrentOp& a, const RecurrentOp& b) {
    const Output &in_a = a.input(a.lengths_port()), &in_b = b.input(b.lengths_port());
    if (in_a == in_b || same_constants(in_a, in_b)) return true;
    return lengths_are_full(a) && lengths_are_full(b);
}

// The sequences that read these elements as their X.
std::vector<LayerPtr> readers_of(const Output& y) {
    std::vector<LayerPtr> layers;
    std::vector<Output> open{y};
    while (!open.empty()) {
        const Output output = open.back();
        open.pop_back();
        for (const Consumer& reader : output.consumers()) {
            const NodePtr node = reader.node->shared_from_this();
            if (reader.input != 0) continue;
            if (const auto layer = as<RecurrentOp>(node)) layers.push_back(layer);
            if (keeps_order(*node)) open.push_back(node);
        }
    }
    return layers;
}

bool depends_on_one(const Output& value, const std::vector<LayerPtr>& layers) {
    return std::any_of(layers.begin(), layers.end(),
                       [&](const LayerPtr& layer) { return passes::depends_on({value}, *layer); });
}

std::vector<Output> states_of(const RecurrentOp& layer) {
    std::vector<Output> states{layer.input(layer.h_port())};
    if (layer.c_port() != RecurrentOp::npos) states.push_back(layer.input(layer.c_port()));
    return states;
}

class Stacker {
public:
    explicit Stacker(Graph& graph) : nodes_(graph.ordered_nodes()) {
        for (const auto& node : nodes_) {
            if (const auto layer = as<RecurrentOp>(node); layer && can_stack(*layer)) {
                free_.insert(layer.get());
            }
        }
    }

    bool run() {
        bool changed = false;
        for (const auto& node : nodes_) {
            const auto layer = as<RecurrentOp>(node);
            if (!layer || !free_.contains(layer.get())) continue;
            const auto chain = chain_from(layer);
            if (chain.size() < 2) continue;
            join(chain);
            changed = true;
        }
        return changed;
    }

private:
    std::vector<LayerPtr> chain_from(const LayerPtr& bottom) const {
        std::vector<LayerPtr> chain{bottom};
        while (chain.size() < SequenceStack::kMaxLayers) {
            const auto above = readers_of(chain.back()->output(0));
            const auto next = std::find_if(above.begin(), above.end(), [&](const auto& layer) {
                return free_.contains(layer.get()) && extends(chain, *layer);
            });
            if (next == above.end()) break;
            chain.push_back(*next);
        }
        return chain;
    }

    static bool extends(const std::vector<LayerPtr>& chain, const RecurrentOp& layer) {
        RecurrentOp& below = *chain.back();
        if (layer.attributes().direction != below.attributes().direction ||
            layer.output_type(0) != below.output_type(0) || !same_lengths(layer, below) ||
            !fits(layer.input(layer.x_port()), below.output(0))) {
            return false;
        }
        const auto states = states_of(layer);
        return std::none_of(states.begin(), states.end(),
                            [&](const Output& state) { return depends_on_one(state, chain); });
    }

    void join(const std::vector<LayerPtr>& chain) {
        const RecurrentOp& bottom = *chain.front();
        std::vector<Output> inputs{bottom.input(bottom.x_port()),
                                   bottom.input(bottom.lengths_port())};
        SequenceStack::Layers layers;
        std::string name;
        for (const auto& layer : chain) {
            for (const Output& state : states_of(*layer)) inputs.push_back(state);
            layers.push_back(detached(*layer));
            name += (name.empty() ? "" : " + ") + layer->name();
            free_.erase(layer.get());
        }
        const auto stack = make_node<SequenceStack>(std::move(inputs), std::move(layers));
        stack->set_origin(origin_to_share(bottom));
        stack->set_name(name);
        std::size_t output = 0;
        for (const auto& layer : chain) {
            for (std::size_t i = 0; i < layer->output_count(); ++i) {
                layer->output(i).replace_with(stack->output(output++));
            }
        }
    }

    std::vector<NodePtr> nodes_;
    std::unordered_set<const Node*> free_;  // layers that may be joined, and are not yet
};

}  // namespace

bool stack_sequences(Graph& graph) { return Stacker(graph).run(); }

}  // namespace rondo::cpu
