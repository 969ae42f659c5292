// Turns round the first elements of each row of a batch.
#pragma once

#include <cstdint>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs: data; lengths [N], integers: one for each place of data's batch axis. Output: data whose
/// elements 0 .. length-1 along the sequence axis are in the reverse order; the others stay.
/// Negative axes count from the end. Evaluating a length below 0 or above the extent is an error.
class ReverseSequence final : public Op<ReverseSequence> {
public:
    static constexpr OpType kType{"ReverseSequence", 1};

    ReverseSequence() = default;
    ReverseSequence(const Output& data, const Output& lengths, std::int64_t batch_axis,
                    std::int64_t seq_axis)
        : Op({data, lengths}), batch_axis_(batch_axis), seq_axis_(seq_axis) {}

    std::int64_t batch_axis() const { return batch_axis_; }
    std::int64_t seq_axis() const { return seq_axis_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("batch_axis", self.batch_axis_);
        visitor.on("seq_axis", self.seq_axis_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t batch_axis_ = 0;
    std::int64_t seq_axis_ = 1;
};

}  // namespace rondo::ops
