// One plain recurrent step.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::ops {

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

}  // namespace rondo::ops
