// The binary family: arithmetic of two tensors, element by element. Each op is a row of kBinaryOps.
#pragma once

#include "core/ops/elementwise/broadcasting.hpp"
#include "core/ops/elementwise/functions.hpp"

namespace rondo::ops {

/// Inputs: a, b of one type that the row takes. Output: their broadcast shape, the same type.
/// Integers wrap. Divide: integers round down, or towards zero without python_division. Power of
/// integers: exact modulo their width; a negative power rounds towards zero. Dividing an integer by
/// 0, its remainder, and a negative power of 0 are errors. NaN in either operand gives NaN.
class Binary final : public Clonable<Binary, Broadcasting> {
public:
    explicit Binary(BinaryFunction function) : info_(&kBinaryOps[static_cast<int>(function)]) {}
    Binary(BinaryFunction function, const Output& a, const Output& b) : Binary(function) {
        set_inputs({a, b});
    }

    BinaryFunction function() const { return info_->function; }
    const BinaryInfo& info() const { return *info_; }
    /// Only Divide has it.
    bool python_division() const { return python_division_; }
    void set_python_division(bool rounds_down) { python_division_ = rounds_down; }

    const OpType& op_type() const override { return info_->type; }
    static void visit_attributes(auto& self, auto& visitor) {
        Broadcasting::visit_attributes(self, visitor);
        if (self.function() != BinaryFunction::divide) return;
        visitor.on("m_pythondiv", self.python_division_);
    }
    void infer(InferContext& context) const override;

private:
    const BinaryInfo* info_;
    bool python_division_ = true;
};

/// Whether the node is the binary op of that function.
bool is(const Node& node, BinaryFunction function);

}  // namespace rondo::ops
