// Cuts a tensor along an axis into parts, of one size or of the sizes that an input holds.
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

/// Inputs: data; axis, one integer (a negative one counts from the end); lengths, an integer
/// vector, of which one may be -1 (what is left). The number of lengths must be known.
/// Outputs: a part for each length; together they fill the axis.
class VariadicSplit final : public Op<VariadicSplit> {
public:
    static constexpr OpType kType{"VariadicSplit", 1};

    VariadicSplit() = default;
    VariadicSplit(const Output& data, const Output& axis, const Output& lengths)
        : Op({data, axis, lengths}) {}

    OpTraits traits() const override { return OpTraits::cutting_op(); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

}  // namespace rondo::ops
