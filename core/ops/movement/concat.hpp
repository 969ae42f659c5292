// Joins tensors along an axis.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: one tensor or more, equal in type and in all extents but that of `axis` (a negative one
/// counts from the end). Output: the tensors one after another along the axis.
class Concat final : public Op<Concat> {
public:
    static constexpr OpType kType{"Concat", 1};

    Concat() = default;
    Concat(std::vector<Output> inputs, std::int64_t axis) : Op(std::move(inputs)), axis_(axis) {}

    std::int64_t axis() const { return axis_; }

    OpTraits traits() const override {
        return {.moves_elements = true, .inputs_with_axes = OpTraits::kAllInputs};
    }
    const std::int64_t* axis_attribute() const override { return &axis_; }
    static void visit_attributes(auto& self, auto& visitor) { visitor.on("axis", self.axis_); }
    std::vector<Dimension> known_extents(std::size_t output, int steps) const override;
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t axis_ = 0;
};

}  // namespace rondo::ops
