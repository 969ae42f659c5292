// One GRU step.
#pragma once

#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::ops {

/// Ports, attributes and shapes: see RecurrentOp.
class GRUCell final : public RecurrentOp {
public:
    static constexpr OpType kType{"GRUCell", 3};
    static constexpr OpType kRondoType{"GRUCell", 0};

    using RecurrentOp::RecurrentOp;

    const OpType& op_type() const override { return is_standard() ? kType : kRondoType; }
    CellType cell_type() const override { return CellType::gru; }
    bool is_sequence() const override { return false; }
    NodePtr clone_with(std::vector<Output> inputs) const override;
};

}  // namespace rondo::ops
