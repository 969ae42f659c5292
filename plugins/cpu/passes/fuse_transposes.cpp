#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/graph/origins.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/ops/detached.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"
#include "plugins/cpu/ops/strided_sequence.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;
using passes::AxisOrder;
using TransposePtr = std::shared_ptr<ops::Transpose>;
using Turned = FusedTranspose::Tensor;

// The order of a Transpose that moves elements, but not the last axis of `rank`; else nothing.
std::optional<AxisOrder> movable_order(const ops::Transpose& transpose, std::size_t rank) {
    const auto order = passes::order_of(transpose);
    if (!order || order->size() != rank || order->back() != rank - 1 ||
        passes::moves_only_unit_axes(*order, transpose.input(0).shape())) {
        return std::nullopt;
    }
    return order;
}

// The Transposes that read an output, if they are its only readers and agree in their order.
std::vector<TransposePtr> readers_of(const Output& output, AxisOrder& order) {
    std::vector<TransposePtr> readers;
    for (const Consumer& consumer : output.consumers()) {
        const auto transpose = as<ops::Transpose>(consumer.node->shared_from_this());
        const auto own = transpose ? movable_order(*transpose, order.size()) : std::nullopt;
        if (!own || (!readers.empty() && *own != order)) return {};
        order = *own;
        readers.push_back(transpose);
    }
    return readers;
}

bool can_be_ordered(const RecurrentOp& op) {
    return op.is_sequence() && is_floating(op.output_type(0)) && passes::has_constant_weights(op);
}

// The view that drops the only direction of Y [N,1,T,H], if nothing else reads Y.
NodePtr view_of_y(const Output& y) {
    if (!y.shape().has_rank() || y.shape()[1] != Dimension(1)) return nullptr;
    if (y.consumers().size() != 1) return nullptr;
    const NodePtr view = y.consumers().front().node->shared_from_this();
    const auto axes = as<ops::Squeeze>(view) ? passes::view_axes(*view) : std::nullopt;
    return axes == AxisOrder{1} ? view : nullptr;
}

// Y [N,1,T,H] -> Squeeze -> Transpose to [T,N,H] becomes Y -> Transpose -> Squeeze.
void squeeze_behind_transposes(const Output& y) {
    const NodePtr view = view_of_y(y);
    AxisOrder order{0, 1, 2};
    const auto readers = view ? readers_of(view->output(0), order) : std::vector<TransposePtr>();
    if (readers.empty()) return;
    const std::string name = readers[0]->name() + "/turned";
    const NodePtr turned =
        make_node<ops::Transpose>(y, ops::make_i64({2, 1, 0, 3}, name + "/order"));
    turned->set_name(name);
    for (const auto& reader : readers) {
        const NodePtr squeezed =
            make_node<ops::Squeeze>(turned, ops::make_i64({1}, reader->name() + "/axes"));
        stand_for(*squeezed, *reader);
        reader->output(0).replace_with(squeezed->output(0));
        reader->set_inputs(
            {});  // the walk over the graph keeps it, and Y must lose its old readers
    }
    view->set_inputs({});
}

// Collects the Transposes around one sequence, and what its tensors are without them.
class Orderer {
public:
    explicit Orderer(const std::shared_ptr<RecurrentOp>& sequence)
        : sequence_(sequence), inputs_(sequence->inputs()), readers_(sequence->output_count()) {
        inputs_.resize(sequence->w_port());
    }

    bool order() {
        take_x();
        take_first_states();
        take_y();
        take_last_states();
        if (transposes_.empty()) return false;
        replace();
        return true;
    }

private:
    bool has_c() const { return sequence_->c_port() != RecurrentOp::npos; }

    // The Transpose before an input, or null.
    TransposePtr before(std::size_t port, AxisOrder& order) const {
        const auto transpose = as<ops::Transpose>(inputs_[port]);
        const auto own = transpose ? movable_order(*transpose, order.size()) : std::nullopt;
        if (own) order = *own;
        return own ? transpose : nullptr;
    }

    void take_input(const TransposePtr& transpose, std::size_t port, Turned tensor) {
        inputs_[port] = transpose->input(0);
        transposes_.push_back({detached(*transpose), tensor});
    }

    void take_x() {
        const auto transpose = before(sequence_->x_port(), order_.x);
        if (transpose) take_input(transpose, sequence_->x_port(), Turned::x);
    }

    // H0 and C0 lie in the same order.
    void take_first_states() {
        AxisOrder order = order_.first;
        const auto h = before(sequence_->h_port(), order);
        const auto c = has_c() ? before(sequence_->c_port(), order) : nullptr;
        if (!h || (has_c() && !c)) return;
        order_.first = order;
        take_input(h, sequence_->h_port(), Turned::h0);
        if (c) take_input(c, sequence_->c_port(), Turned::c0);
    }

    void take_readers(std::size_t output, std::vector<TransposePtr> readers, Turned tensor) {
        for (const auto& reader : readers) transposes_.push_back({detached(*reader), tensor});
        readers_[output] = std::move(readers);
    }

    void take_y() {
        AxisOrder order = order_.y;
        auto readers = readers_of(sequence_->output(0), order);
        if (readers.empty()) return;
        order_.y = order;
        take_readers(0, std::move(readers), Turned::y);
    }

    // Ho and Co lie in the same order, unless nothing reads one of them.
    void take_last_states() {
        std::vector<std::vector<TransposePtr>> all(sequence_->output_count());
        AxisOrder order = order_.last;
        bool any = false;
        for (std::size_t i = 1; i < all.size(); ++i) {
            if (sequence_->consumers(i).empty()) continue;
            all[i] = readers_of(sequence_->output(i), order);
            if (all[i].empty()) return;
            any = true;
        }
        if (!any) return;
        order_.last = order;
        for (std::size_t i = 1; i < all.size(); ++i) {
            take_readers(i, std::move(all[i]), i == 1 ? Turned::ho : Turned::co);
        }
    }

    void replace() {
        const auto ordered = make_node<StridedSequence>(std::move(inputs_), detached(*sequence_),
                                                        order_, std::move(transposes_));
        stand_for(*ordered, *sequence_);
        for (std::size_t i = 0; i < readers_.size(); ++i) {
            for (const auto& reader : readers_[i]) {
                reader->output(0).replace_with(ordered->output(i));
            }
            if (readers_[i].empty()) sequence_->output(i).replace_with(ordered->output(i));
        }
    }

    std::shared_ptr<RecurrentOp> sequence_;
    std::vector<Output> inputs_;
    std::vector<std::vector<TransposePtr>> readers_;  // one list an output
    SequenceOrder order_;
    StridedSequence::Transposes transposes_;
};

// X of the lowest layer and Y of the highest one.
bool order_stack(const std::shared_ptr<SequenceStack>& stack) {
    if (!stack->transposes().empty()) return false;
    const Output y = stack->output(stack->highest_y());
    squeeze_behind_transposes(y);
    SequenceOrder order;
    StridedSequence::Transposes transposes;
    std::vector<Output> inputs = stack->inputs();
    if (const auto before = as<ops::Transpose>(inputs[SequenceStack::kX])) {
        if (const auto own = movable_order(*before, order.x.size())) {
            order.x = *own;
            inputs[SequenceStack::kX] = before->input(0);
            transposes.push_back({detached(*before), Turned::x});
        }
    }
    AxisOrder order_of_y = order.y;
    const auto readers = readers_of(y, order_of_y);
    if (!readers.empty()) order.y = order_of_y;
    for (const auto& reader : readers) transposes.push_back({detached(*reader), Turned::y});
    if (transposes.empty()) return false;
    const auto ordered =
        make_node<SequenceStack>(std::move(inputs), stack->layers(), order, std::move(transposes));
    stand_for(*ordered, *stack);
    for (const auto& reader : readers) reader->output(0).replace_with(ordered->output(y.index()));
    for (std::size_t i = 0; i < stack->output_count(); ++i) {
        const bool is_turned = i == y.index() && !readers.empty();
        if (!is_turned) stack->output(i).replace_with(ordered->output(i));
    }
    return true;
}

}  // namespace

bool fuse_transposes(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        if (const auto stack = as<SequenceStack>(node)) changed |= order_stack(stack);
        const auto sequence = as<RecurrentOp>(node);
        if (!sequence || !can_be_ordered(*sequence)) continue;
        squeeze_behind_transposes(sequence->output(0));
        changed |= Orderer(sequence).order();
    }
    return changed;
}

}  // namespace rondo::cpu
