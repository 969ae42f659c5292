#include "transformations/pass/formula.hpp"

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::passes {
namespace {

using RecurrentPtr = std::shared_ptr<ops::RecurrentOp>;

template <typename Sequence, typename Cell>
RecurrentPtr new_op(bool is_sequence) {
    if (is_sequence) return new_node<Sequence>();
    return new_node<Cell>();
}

RecurrentPtr new_op(ops::CellType type, bool is_sequence) {
    switch (type) {
        case ops::CellType::lstm: return new_op<ops::LSTMSequence, ops::LSTMCell>(is_sequence);
        case ops::CellType::gru: return new_op<ops::GRUSequence, ops::GRUCell>(is_sequence);
        case ops::CellType::rnn: return new_op<ops::RNNSequence, ops::RNNCell>(is_sequence);
    }
    return nullptr;
}

RecurrentPtr finished(RecurrentPtr op, Rewriter& rewriter, const std::string& name,
                      ops::RecurrentAttributes attributes, std::vector<Output> inputs) {
    op->set_name(name);
    op->set_attributes(std::move(attributes));
    op->set_inputs(std::move(inputs));
    op->validate();
    rewriter.adopt(*op, name);
    return op;
}

}  // namespace

Output Formula::broadcast_both(const Output& x, const Output& shape) {
    return make<ops::Broadcast>(x, shape, ops::BroadcastMode::bidirectional);
}

RecurrentPtr Formula::recurrent(const std::string& name, ops::CellType type, bool is_sequence,
                                ops::RecurrentAttributes attributes, std::vector<Output> inputs) {
    return finished(new_op(type, is_sequence), rewriter_, name, std::move(attributes),
                    std::move(inputs));
}

RecurrentPtr Formula::recurrent_like(const ops::RecurrentOp& op, const std::string& name,
                                     ops::RecurrentAttributes attributes,
                                     std::vector<Output> inputs) {
    RecurrentPtr made = new_op(op.cell_type(), op.is_sequence());
    made->set_origin(op.origin());
    made->rt_info() = op.rt_info();
    return finished(std::move(made), rewriter_, name, std::move(attributes), std::move(inputs));
}

void take_place(Rewriter& rewriter, Node& old, Node& made) {
    const NodePtr lives = old.shared_from_this();
    for (std::size_t i = 0; i < old.output_count(); ++i) {
        if (!old.consumers(i).empty()) rewriter.replace(old.output(i), made.output(i));
    }
    rewriter.inherit_name(lives, made);
}

}  // namespace rondo::passes
