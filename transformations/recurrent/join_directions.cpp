#include "transformations/recurrent/passes.hpp"

#include <array>
#include <vector>

#include "core/extents/full_lengths.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/formula.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;
using RecurrentPtr = std::shared_ptr<RecurrentOp>;

constexpr std::int64_t kDirectionAxis = 1;  // of outputs and states

bool has_known_weights(const RecurrentOp& op) {
    for (std::size_t port = op.w_port(); port < op.input_count(); ++port) {
        if (!known_value(op.input(port))) return false;
    }
    return true;
}

bool same_cells(const RecurrentOp& a, const RecurrentOp& b) {
    const auto& one = a.attributes();
    const auto& other = b.attributes();
    return a.type_name() == b.type_name() && a.cell_kind() == b.cell_kind() &&
           a.hidden_size() == b.hidden_size() && a.input_count() == b.input_count() &&
           a.output_type(0) == b.output_type(0) &&
           a.resolved_activations() == b.resolved_activations() && one.clip == other.clip &&
           one.input_forget == other.input_forget && a.rt_info() == b.rt_info();
}

bool are_partners(const RecurrentOp& forward, const RecurrentOp& reverse) {
    if (forward.attributes().direction != ops::Direction::forward ||
        reverse.attributes().direction != ops::Direction::reverse) {
        return false;
    }
    if (!(forward.input(forward.x_port()) == reverse.input(reverse.x_port()))) return false;
    if (!same_cells(forward, reverse)) return false;
    const bool same_lengths =
        forward.input(forward.lengths_port()) == reverse.input(reverse.lengths_port());
    return (same_lengths || (lengths_are_full(forward) && lengths_are_full(reverse))) &&
           has_known_weights(forward) && has_known_weights(reverse) &&
           !depends_on(forward.inputs(), reverse) && !depends_on(reverse.inputs(), forward);
}

// The Squeeze that drops the direction, if nothing else reads the output.
NodePtr sole_squeeze(const Output& output) {
    if (output.consumers().size() != 1) return nullptr;
    Node& reader = *output.consumers().front().node;
    if (as_op<ops::Squeeze>(reader) == nullptr) return nullptr;
    const auto axes = view_axes(reader);
    return axes && *axes == std::vector<std::size_t>{1} ? reader.shared_from_this() : nullptr;
}

Node* sole_reader(const Node& node) {
    return node.consumers(0).size() == 1 ? node.consumers(0).front().node : nullptr;
}

class Joiner {
public:
    Joiner(Rewriter& rewriter, const RecurrentPtr& forward, const RecurrentPtr& reverse)
        : by_(rewriter, forward->name()), both_{forward, reverse} {}

    void join() {
        const RecurrentOp& first = *both_[0];
        std::vector<Output> inputs = first.inputs();
        for (std::size_t port = first.h_port(); port < inputs.size(); ++port) {
            if (port == first.lengths_port()) continue;
            const std::int64_t axis = port < first.w_port() ? kDirectionAxis : 0;
            inputs[port] = by_.concat({first.input(port), both_[1]->input(port)}, axis);
        }
        ops::RecurrentAttributes attributes = first.attributes();
        attributes.direction = ops::Direction::bidirectional;
        made_ = by_.recurrent_like(first, first.name(), attributes, std::move(inputs));
        for (std::size_t output = 0; output < made_->output_count(); ++output) replace(output);
        for (const RecurrentPtr& old : both_) by_.rewriter().inherit_name(old, *made_);
    }

private:
    void replace(std::size_t output) {
        const Output a = both_[0]->output(output), b = both_[1]->output(output);
        if (a.consumers().empty() && b.consumers().empty()) return;
        if (output == 0 ? replace_steps(a, b) : replace_states(a, b, output)) return;
        const auto parts = by_.split(made_->output(output), kDirectionAxis, 2);
        if (!a.consumers().empty()) by_.rewriter().replace(a, parts[0]);
        if (!b.consumers().empty()) by_.rewriter().replace(b, parts[1]);
    }

    // The Concat that puts the features of both side by side; null for other readers.
    static Node* side_by_side(const NodePtr& a, const NodePtr& b) {
        Node* concat = a ? sole_reader(*a) : nullptr;
        if (concat == nullptr || !b || sole_reader(*b) != concat) return nullptr;
        const auto* node = as_op<ops::Concat>(*concat);
        if (node == nullptr || node->input_count() != 2) return nullptr;
        const bool in_order = node->input(0) == a->output(0) && node->input(1) == b->output(0);
        return in_order && is_last_axis(node->axis(), node->output_shape(0)) ? concat : nullptr;
    }

    std::int64_t width() const { return 2 * both_[0]->hidden_size(); }

    // [N,H] of both: the states [N,2,H] as they lie.
    bool replace_states(const Output& a, const Output& b, std::size_t output) {
        Node* concat = side_by_side(sole_squeeze(a), sole_squeeze(b));
        if (concat == nullptr) return false;
        by_.rewriter().replace(concat->output(0),
                               by_.reshape(made_->output(output), {-1, width()}));
        return true;
    }

    // [N,T,H] or [T,N,H] of both.
    bool replace_steps(const Output& a, const Output& b) {
        NodePtr one = sole_squeeze(a), other = sole_squeeze(b);
        AxisOrder order{0, 2, 1, 3};  // N, T, D, H
        if (is_turned(one) && is_turned(other)) {
            order = {2, 0, 1, 3};
            one = sole_reader(*one)->shared_from_this();
            other = sole_reader(*other)->shared_from_this();
        }
        Node* concat = side_by_side(one, other);
        if (concat == nullptr) return false;
        const Output turned = by_.transpose(made_->output(0), to_ints(order));
        by_.rewriter().replace(concat->output(0), by_.reshape(turned, {0, 0, width()}));
        return true;
    }

    // Whether its only reader is a Transpose to [T,N,H].
    static bool is_turned(const NodePtr& node) {
        Node* reader = node ? sole_reader(*node) : nullptr;
        return reader != nullptr && order_of(*reader) == AxisOrder{1, 0, 2};
    }

    Formula by_;
    std::array<RecurrentPtr, 2> both_;
    RecurrentPtr made_;
};

RecurrentPtr partner_of(const RecurrentOp& op) {
    if (!op.is_sequence()) return nullptr;
    for (const Consumer& reader : op.input(op.x_port()).consumers()) {
        const auto other = as<RecurrentOp>(reader.node->shared_from_this());
        if (!other || reader.input != other->x_port() || !other->is_sequence()) continue;
        if (are_partners(op, *other)) return other;
    }
    return nullptr;
}

}  // namespace

bool join_directions(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>([&](const RecurrentPtr& op) {
        if (const RecurrentPtr partner = partner_of(*op)) Joiner(rewriter, op, partner).join();
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
