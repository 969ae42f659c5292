// A whole sequence of GRU steps.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::ops {

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

}  // namespace rondo::ops
