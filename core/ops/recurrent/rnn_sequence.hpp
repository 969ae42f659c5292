// A whole sequence of plain recurrent steps.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::ops {

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
