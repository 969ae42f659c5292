// The logical family: functions of two boolean tensors, element by element. Each op is a row of
// kLogicalOps; LogicalNot is a row of the unary family.
#pragma once

#include "core/ops/elementwise/broadcasting.hpp"
#include "core/ops/elementwise/functions.hpp"

namespace rondo::ops {

/// Inputs: a, b, boolean. Output: boolean, their broadcast shape.
class Logical final : public Clonable<Logical, Broadcasting> {
public:
    explicit Logical(LogicalFunction function) : info_(&kLogicalOps[static_cast<int>(function)]) {}
    Logical(LogicalFunction function, const Output& a, const Output& b) : Logical(function) {
        set_inputs({a, b});
    }

    LogicalFunction function() const { return info_->function; }

    const OpType& op_type() const override { return info_->type; }
    void infer(InferContext& context) const override;

private:
    const LogicalInfo* info_;
};

/// Whether the node is the logical op of that function.
bool is(const Node& node, LogicalFunction function);

}  // namespace rondo::ops
