// The recurrent ops: one step, or a sequence of them, of LSTM, GRU and RNN.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::ops {

/// Ports, attributes and shapes: see RecurrentOp.
class GRUCell final : public Clonable<GRUCell, RecurrentOp> {
public:
    static constexpr OpType kType{"GRUCell", 3};
    static constexpr OpType kRondoType{"GRUCell", 0};

    using Clonable::Clonable;

    const OpType& op_type() const override { return is_standard() ? kType : kRondoType; }
    CellType cell_type() const override { return CellType::gru; }
    bool is_sequence() const override { return false; }
};

/// Ports, attributes and shapes: see RecurrentOp.
class GRUSequence final : public Clonable<GRUSequence, RecurrentOp> {
public:
    static constexpr OpType kType{"GRUSequence", 5};
    static constexpr OpType kRondoType{"GRUSequence", 0};

    using Clonable::Clonable;

    const OpType& op_type() const override { return is_standard() ? kType : kRondoType; }
    CellType cell_type() const override { return CellType::gru; }
    bool is_sequence() const override { return true; }
};

/// Ports, attributes and shapes: see RecurrentOp.
class LSTMCell final : public Clonable<LSTMCell, RecurrentOp> {
public:
    static constexpr OpType kType{"LSTMCell", 4};
    /// The older form; reading it makes this op.
    static constexpr OpType kOpset1{"LSTMCell", 1};
    static constexpr OpType kRondoType{"LSTMCell", 0};

    using Clonable::Clonable;

    const OpType& op_type() const override { return is_standard() ? kType : kRondoType; }
    CellType cell_type() const override { return CellType::lstm; }
    bool is_sequence() const override { return false; }
};

/// Ports, attributes and shapes: see RecurrentOp.
class LSTMSequence final : public Clonable<LSTMSequence, RecurrentOp> {
public:
    static constexpr OpType kType{"LSTMSequence", 5};
    static constexpr OpType kRondoType{"LSTMSequence", 0};

    using Clonable::Clonable;

    const OpType& op_type() const override { return is_standard() ? kType : kRondoType; }
    CellType cell_type() const override { return CellType::lstm; }
    bool is_sequence() const override { return true; }
};

/// Ports, attributes and shapes: see RecurrentOp.
class RNNCell final : public Clonable<RNNCell, RecurrentOp> {
public:
    static constexpr OpType kType{"RNNCell", 1};
    static constexpr OpType kRondoType{"RNNCell", 0};

    using Clonable::Clonable;

    const OpType& op_type() const override { return is_standard() ? kType : kRondoType; }
    CellType cell_type() const override { return CellType::rnn; }
    bool is_sequence() const override { return false; }
};

/// Ports, attributes and shapes: see RecurrentOp.
class RNNSequence final : public Clonable<RNNSequence, RecurrentOp> {
public:
    static constexpr OpType kType{"RNNSequence", 5};
    static constexpr OpType kRondoType{"RNNSequence", 0};

    using Clonable::Clonable;

    const OpType& op_type() const override { return is_standard() ? kType : kRondoType; }
    CellType cell_type() const override { return CellType::rnn; }
    bool is_sequence() const override { return true; }
};

}  // namespace rondo::ops
