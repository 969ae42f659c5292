// The compare family: comparisons of two tensors, element by element. Each op is a row of
// kCompareOps.
#pragma once

#include "core/ops/elementwise/broadcasting.hpp"
#include "core/ops/elementwise/functions.hpp"

namespace rondo::ops {

/// Inputs: a, b of one type. Output: boolean, their broadcast shape. A NaN is unequal to everything
/// and neither less nor greater; false is less than true.
class Compare final : public Clonable<Compare, Broadcasting> {
public:
    explicit Compare(CompareFunction function) : info_(&kCompareOps[static_cast<int>(function)]) {}
    Compare(CompareFunction function, const Output& a, const Output& b) : Compare(function) {
        set_inputs({a, b});
    }

    CompareFunction function() const { return info_->function; }

    const OpType& op_type() const override { return info_->type; }
    void infer(InferContext& context) const override;

private:
    const CompareInfo* info_;
};

/// Whether the node is the comparison of that function.
bool is(const Node& node, CompareFunction function);

}  // namespace rondo::ops
