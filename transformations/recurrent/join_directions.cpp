#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/recurrent/cells_and_sequences.hpp"
#include "transformations/common/views.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/shapes/extents.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;
using RecurrentPtr = std::shared_ptr<RecurrentOp>;

constexpr std::int64_t kDirectionAxis = 1;  // of outputs and states

bool needs(const RecurrentOp& op, const Node& other) {
    std::vector<const Node*> open;
    std::set<const Node*> seen;
    for (const Output& input : op.inputs()) open.push_back(&input.node());
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (node == &other) return true;
        if (!seen.insert(node).second) continue;
        for (const Output& input : node->inputs()) open.push_back(&input.node());
    }
    return false;
}

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
           has_known_weights(forward) && has_known_weights(reverse) && !needs(forward, reverse) &&
           !needs(reverse, forward);
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
        : rewriter_(rewriter), both_{forward, reverse} {}

    void join() {
        const RecurrentOp& first = *both_[0];
        std::vector<Output> inputs = first.inputs();
        joined(first.h_port(), kDirectionAxis, inputs);
        if (first.c_port() != RecurrentOp::npos) joined(first.c_port(), kDirectionAxis, inputs);
        for (std::size_t port = first.w_port(); port < inputs.size(); ++port) {
            joined(port, 0, inputs);
        }
        made_ = made_of(inputs);
        for (std::size_t output = 0; output < made_->output_count(); ++output) replace(output);
        for (const RecurrentPtr& old : both_) rewriter_.inherit_name(old, *made_);
    }

private:
    RecurrentPtr made_of(const std::vector<Output>& inputs) {
        switch (both_[0]->cell_type()) {
            case ops::CellType::lstm: return made_as<ops::LSTMSequence>(inputs);
            case ops::CellType::gru: return made_as<ops::GRUSequence>(inputs);
            case ops::CellType::rnn: return made_as<ops::RNNSequence>(inputs);
        }
        return nullptr;
    }

    template <typename Op>
    RecurrentPtr made_as(const std::vector<Output>& inputs) {
        Op op(dynamic_cast<const Op&>(*both_[0]));
        ops::RecurrentAttributes attributes = op.attributes();
        attributes.direction = ops::Direction::bidirectional;
        op.set_attributes(attributes);
        return as<RecurrentOp>(rewriter_.clone(op, inputs));
    }

    void joined(std::size_t port, std::int64_t axis, std::vector<Output>& inputs) {
        const std::string name = both_[0]->name() + "/both_" + std::to_string(port);
        inputs[port] = rewriter_.make<ops::Concat>(
            name, std::vector<Output>{both_[0]->input(port), both_[1]->input(port)}, axis);
    }

    void replace(std::size_t output) {
        const Output a = both_[0]->output(output), b = both_[1]->output(output);
        if (a.consumers().empty() && b.consumers().empty()) return;
        if (output == 0 ? replace_steps(a, b) : replace_states(a, b, output)) return;
        const std::string name = both_[0]->name() + "/parts_" + std::to_string(output);
        const auto parts = rewriter_.make<ops::Split>(
            name, made_->output(output), rewriter_.make_scalar(name + "/axis", kDirectionAxis), 2);
        if (!a.consumers().empty()) rewriter_.replace(a, parts->output(0));
        if (!b.consumers().empty()) rewriter_.replace(b, parts->output(1));
    }

    // The Concat that puts the features of both side by side; null for other readers.
    static Node* side_by_side(const NodePtr& a, const NodePtr& b) {
        Node* concat = a ? sole_reader(*a) : nullptr;
        if (concat == nullptr || !b || sole_reader(*b) != concat) return nullptr;
        const auto* node = as_op<ops::Concat>(*concat);
        if (node == nullptr || node->input_count() != 2) return nullptr;
        const PartialShape& shape = node->output_shape(0);
        const bool is_last =
            node->axis() == -1 ||
            (shape.has_rank() && node->axis() + 1 == static_cast<std::int64_t>(shape.rank()));
        const bool in_order = node->input(0) == a->output(0) && node->input(1) == b->output(0);
        return is_last && in_order ? concat : nullptr;
    }

    std::int64_t width() const { return 2 * both_[0]->hidden_size(); }

    // [N,H] of both: the states [N,2,H] as they lie.
    bool replace_states(const Output& a, const Output& b, std::size_t output) {
        Node* concat = side_by_side(sole_squeeze(a), sole_squeeze(b));
        if (concat == nullptr) return false;
        const std::string name = concat->name();
        rewriter_.replace(concat->output(0),
                          rewriter_.make<ops::Reshape>(
                              name, made_->output(output),
                              rewriter_.make_ints(name + "/shape", {-1, width()}), false));
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
        const std::string name = concat->name();
        const Output turned =
            rewriter_.make<ops::Transpose>(name + "/directions", made_->output(0),
                                           rewriter_.make_ints(name + "/order", to_ints(order)));
        rewriter_.replace(
            concat->output(0),
            rewriter_.make<ops::Reshape>(
                name, turned, rewriter_.make_ints(name + "/shape", {0, 0, width()}), true));
        return true;
    }

    // Whether its only reader is a Transpose to [T,N,H].
    static bool is_turned(const NodePtr& node) {
        Node* reader = node ? sole_reader(*node) : nullptr;
        const auto* transpose = reader ? as_op<ops::Transpose>(*reader) : nullptr;
        return transpose != nullptr && order_of(*transpose) == AxisOrder{1, 0, 2};
    }

    Rewriter& rewriter_;
    std::array<RecurrentPtr, 2> both_;
    std::shared_ptr<RecurrentOp> made_;
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
