// A whole sequence of LSTM steps.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::ops {

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

}  // namespace rondo::ops
