// Cuts a tensor into equal parts along an axis.
#pragma once

#include <cstdint>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data; axis, one integer (a negative one counts from the end).
/// Outputs: `num_splits` parts of equal shape; the extent of the axis must divide evenly.
class Split final : public Op<Split> {
public:
    static constexpr OpType kType{"Split", 1};

    Split() = default;
    Split(const Output& data, const Output& axis, std::int64_t num_splits)
        : Op({data, axis}), num_splits_(num_splits) {}

    std::int64_t num_splits() const { return num_splits_; }

    OpTraits traits() const override { return OpTraits::cutting_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("num_splits", self.num_splits_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t num_splits_ = 0;
};

}  // namespace rondo::ops
