#include "plugins/cpu/passes/order_sequences.hpp"

#include <optional>
#include <utility>

#include "plugins/cpu/ops/detached.hpp"
#include "plugins/cpu/ops/ordered_sequence.hpp"
#include "transformations/common/axis_order.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;
using TransposePtr = std::shared_ptr<ops::Transpose>;

// The order of a Transpose that moves elements, but not the last axis of `rank`; else nothing.
std::optional<passes::AxisOrder> movable_order(const ops::Transpose& transpose, std::size_t rank) {
    const auto order = passes::order_of(transpose);
    if (!order || order->size() != rank || order->back() != rank - 1 ||
        passes::moves_only_unit_axes(*order, transpose.input(0).shape())) {
        return std::nullopt;
    }
    return order;
}

// The Transposes that read Y, if they are its only readers and agree in their order.
std::vector<TransposePtr> readers_of_y(const Output& y, passes::AxisOrder& order) {
    std::vector<TransposePtr> readers;
    for (const Consumer& consumer : y.consumers()) {
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

bool order_sequence(const std::shared_ptr<RecurrentOp>& sequence) {
    SequenceOrder order;
    const SequenceOrder plain;
    OrderedSequence::Transposes transposes;
    std::vector<Output> inputs = sequence->inputs();
    inputs.resize(sequence->w_port());
    if (const auto before = as<ops::Transpose>(inputs[sequence->x_port()])) {
        if (const auto own = movable_order(*before, order.x.size())) {
            order.x = *own;
            inputs[sequence->x_port()] = before->input(0);
            transposes.push_back(detached(*before));
        }
    }
    const auto readers = readers_of_y(sequence->output(0), order.y);
    if (readers.empty()) order.y = plain.y;
    for (const auto& reader : readers) transposes.push_back(detached(*reader));
    if (transposes.empty()) return false;
    const auto ordered = make_node<OrderedSequence>(std::move(inputs), detached(*sequence),
                                                    std::move(order), std::move(transposes));
    ordered->set_name(sequence->name());
    for (const auto& reader : readers) reader->output(0).replace_with(ordered->output(0));
    for (std::size_t i = readers.empty() ? 0 : 1; i < sequence->output_count(); ++i) {
        sequence->output(i).replace_with(ordered->output(i));
    }
    return true;
}

}  // namespace

bool order_sequences(Graph& graph) {
    bool changed = false;
    for (const auto& node : graph.ordered_nodes()) {
        const auto sequence = as<RecurrentOp>(node);
        if (sequence && can_be_ordered(*sequence)) changed |= order_sequence(sequence);
    }
    return changed;
}

}  // namespace rondo::cpu
