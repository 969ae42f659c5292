// One GRU step.
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

}  // namespace rondo::ops
