#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "core/extents/extent_origin.hpp"
#include "core/extents/full_lengths.hpp"
#include "core/graph/constants.hpp"
#include "core/graph/origins.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/unique_names.hpp"
#include "plugins/cpu/ops/default_input.hpp"
#include "plugins/cpu/ops/detached.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"
#include "transformations/analysis/splats.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

// The batch and the time of a sequence's X.
struct Steps {
    Output x;
    std::size_t batch_axis = 0;
    std::size_t time_axis = 1;
    Output lengths = {};  ///< which must have the rows of X
};

// The op checks that its lengths have the rows of X.
bool has_rows_of_lengths(const ShapeElement& rows, const Output& lengths) {
    const PartialShape& shape = lengths.shape();
    return !is_default(lengths) && shape.has_rank() && shape.rank() == 1 &&
           is_extent(rows, lengths, 0);
}

bool is_zero_state(const Output& state, const Steps& steps, const RecurrentOp& layer) {
    if (passes::is_constant(state) || !steps.x.shape().has_rank()) return false;
    const auto splat = passes::splat_of(state);
    return splat && splat->extents.size() == 3 && has_zero_bits(splat->value) &&
           (is_extent(splat->extents[0], steps.x, steps.batch_axis) ||
            has_rows_of_lengths(splat->extents[0], steps.lengths)) &&
           splat->extents[1].number == static_cast<std::int64_t>(layer.num_directions()) &&
           splat->extents[2].number == layer.hidden_size();
}

// Nothing on the way from the one number to the lengths may refuse its input.
bool are_full(const Output& lengths, const Steps& steps) {
    const PartialShape& shape = lengths.shape();
    if (passes::is_constant(lengths) || !steps.x.shape().has_rank()) return false;
    if (!shape.has_rank() || shape.rank() != 1) return false;
    const auto always_fits = [](const Node& view) { return passes::always_fits(view); };
    return is_extent(repeated_value(lengths, always_fits), steps.x, steps.time_axis) &&
           same_extent(lengths, 0, steps.x, steps.batch_axis);
}

class InputDropper {
public:
    explicit InputDropper(const std::vector<NodePtr>& nodes) {
        for (const auto& node : nodes) names_.insert(node->name());
    }

    bool change(Node& node) {
        if (auto* stack = dynamic_cast<SequenceStack*>(&node)) return change_stack(*stack);
        if (auto* ordered = dynamic_cast<StridedSequence*>(&node)) return change_strided(*ordered);
        if (auto* plain = dynamic_cast<RecurrentOp*>(&node)) return change_plain(*plain);
        return false;
    }

private:
    bool change_stack(SequenceStack& stack) {
        const Steps steps{stack.input(SequenceStack::kX), stack.order().x[0], stack.order().x[1],
                          stack.input(SequenceStack::kLengths)};
        std::vector<Output> inputs = stack.inputs();
        leave_out_lengths(inputs[SequenceStack::kLengths], steps);
        for (std::size_t i = 0; i < stack.layers().size(); ++i) {
            const RecurrentOp& layer = *stack.layers()[i];
            const SequenceStack::Ports ports = stack.ports(i);
            leave_out_zeros(inputs[ports.h], steps, layer);
            if (ports.c != RecurrentOp::npos) leave_out_zeros(inputs[ports.c], steps, layer);
        }
        return put(stack, std::move(inputs));
    }

    bool change_strided(StridedSequence& ordered) {
        const auto& x = ordered.order().x;
        const Output lengths = ordered.input(ordered.sequence().lengths_port());
        return put(ordered,
                   left_out(ordered, ordered.sequence(), {ordered.input(0), x[0], x[1], lengths}));
    }

    bool change_plain(RecurrentOp& sequence) {
        if (!sequence.is_sequence() || !is_floating(sequence.output_type(0)) ||
            !passes::has_constant_weights(sequence)) {
            return false;
        }
        auto inputs = left_out(
            sequence, sequence,
            {sequence.input(sequence.x_port()), 0, 1, sequence.input(sequence.lengths_port())});
        if (inputs == sequence.inputs()) return false;
        inputs.resize(sequence.w_port());
        const auto made = make_node<StridedSequence>(
            std::move(inputs), detached(sequence), SequenceOrder(), StridedSequence::Transposes());
        stand_for(*made, sequence);
        for (std::size_t i = 0; i < sequence.output_count(); ++i) {
            sequence.output(i).replace_with(made->output(i));
        }
        return true;
    }

    // The inputs of `node`, whose first ports are those of the sequence.
    std::vector<Output> left_out(const Node& node, const RecurrentOp& sequence,
                                 const Steps& steps) {
        std::vector<Output> inputs = node.inputs();
        leave_out_zeros(inputs[sequence.h_port()], steps, sequence);
        if (sequence.c_port() != RecurrentOp::npos) {
            leave_out_zeros(inputs[sequence.c_port()], steps, sequence);
        }
        leave_out_lengths(inputs[sequence.lengths_port()], steps);
        return inputs;
    }

    static bool put(Node& node, std::vector<Output> inputs) {
        if (inputs == node.inputs()) return false;
        node.set_inputs(std::move(inputs));
        node.validate();
        return true;
    }

    void leave_out_zeros(Output& state, const Steps& steps, const RecurrentOp& layer) {
        if (is_zero_state(state, steps, layer)) state = implied(state.element_type(), "zeros");
    }

    void leave_out_lengths(Output& lengths, const Steps& steps) {
        if (are_full(lengths, steps)) lengths = implied(lengths.element_type(), "full_lengths");
    }

    // One node for all that read it.
    Output implied(ElementType type, const std::string& name) {
        auto& node = made_[type];
        if (node == nullptr) {
            node = make_node<ops::Constant>(default_input(type));
            node->set_name(names_.take(name));
        }
        return node;
    }

    UniqueNames names_{2};
    std::map<ElementType, NodePtr> made_;
};

}  // namespace

bool drop_default_inputs(Graph& graph) {
    const std::vector<NodePtr> nodes = graph.ordered_nodes();
    InputDropper dropper(nodes);
    bool changed = false;
    for (const auto& node : nodes) changed |= dropper.change(*node);
    return changed;
}

}  // namespace rondo::cpu
