// Cuts a tensor into parts of given lengths along an axis.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

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
