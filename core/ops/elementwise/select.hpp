// Takes each element from one of two tensors, as a boolean tensor says.
#pragma once

#include "core/ops/elementwise/broadcasting.hpp"

namespace rondo::ops {

/// Inputs: condition, boolean; yes and no, of one type. Output: yes where the condition is true,
/// else no; the type of both, the broadcast shape of all three.
class Select final : public Op<Select, Broadcasting> {
public:
    static constexpr OpType kType{"Select", 1};

    Select() = default;
    Select(const Output& condition, const Output& yes, const Output& no) {
        set_inputs({condition, yes, no});
    }

    void infer(InferContext& context) const override;
};

}  // namespace rondo::ops
