// One LSTM step.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::ops {

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

}  // namespace rondo::ops
