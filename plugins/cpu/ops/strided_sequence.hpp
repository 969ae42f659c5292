// A recurrent sequence whose X, Y and states have another order of axes, as an op of the CPU
// device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"

namespace rondo::cpu {

/// The orders of tensors outside of a sequence. X [N,T,I] is the first input transposed by `x`, H0
/// and C0 [N,D,H] are others transposed by `first`; the outputs are Y [N,D,T,H] transposed by `y`,
/// and Ho and Co [N,D,H] transposed by `last`. I and H stay last.
struct SequenceOrder {
    std::vector<std::size_t> x{0, 1, 2};
    std::vector<std::size_t> y{0, 1, 2, 3};
    std::vector<std::size_t> first{0, 1, 2};
    std::vector<std::size_t> last{0, 1, 2};
};

/// A shape in another order, as a Transpose gives it.
PartialShape transposed(const PartialShape& shape, const std::vector<std::size_t>& order);

/// A Transpose that an StridedSequence took in, and the tensor that it was for. A state that is
/// implied has none, whatever the order of the other one is.
struct FusedTranspose {
    enum class Tensor : std::uint8_t { x, h0, c0, y, ho, co };
    std::shared_ptr<const ops::Transpose> node;
    Tensor tensor = Tensor::x;
};

/// A sequence with constant weights and the Transposes around it, if there are any, which cost
/// nothing: the kernels use strides. Inputs: X, H0, C0 (LSTM) in the orders of SequenceOrder, and
/// lengths [N]: the ports of the sequence; states and lengths may be implied (default_input.hpp).
/// Outputs: Y, Ho and Co (LSTM) in the orders of SequenceOrder.
/// A pass of the CPU plugin makes it, and expand_sequences restores the original ops for the
/// runtime model; the IR's writer refuses it.
class StridedSequence final : public Op<StridedSequence> {
public:
    static constexpr OpType kType{"StridedSequence", 0};

    using Transposes = std::vector<FusedTranspose>;

    /// `sequence` keeps attributes and weights; its other inputs are the inputs of this op.
    /// `transposes`: of inputs first; profiles report them as parts of this op.
    StridedSequence(std::vector<Output> inputs, std::shared_ptr<const ops::RecurrentOp> sequence,
                    SequenceOrder order, Transposes transposes)
        : Op(std::move(inputs)),
          sequence_(std::move(sequence)),
          order_(std::move(order)),
          transposes_(std::move(transposes)) {}

    const ops::RecurrentOp& sequence() const { return *sequence_; }
    const SequenceOrder& order() const { return order_; }
    const Transposes& transposes() const { return transposes_; }

    /// The sequence's type and the orders, shown when the graph is printed.
    static void visit_attributes(auto& self, auto& visitor) {
        std::string type(self.sequence_->type_name());
        std::vector<std::int64_t> x(self.order_.x.begin(), self.order_.x.end());
        std::vector<std::int64_t> y(self.order_.y.begin(), self.order_.y.end());
        std::vector<std::int64_t> first(self.order_.first.begin(), self.order_.first.end());
        std::vector<std::int64_t> last(self.order_.last.begin(), self.order_.last.end());
        visitor.on("sequence", type);
        visitor.on("x_order", x);
        visitor.on("y_order", y);
        visitor.on("first_order", first);
        visitor.on("last_order", last);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
    std::vector<ExtentSource> extent_sources(std::size_t output, std::size_t axis) const override;

private:
    std::shared_ptr<const ops::RecurrentOp> sequence_;
    SequenceOrder order_;
    Transposes transposes_;
};

}  // namespace rondo::cpu
