// Turns the numbers along an axis into fractions that sum to 1.
#pragma once

#include <cstdint>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input: x of a floating type. Output: exp(x) / sum(exp(x)) along `axis`; same type and shape.
/// The common base of its two forms in the IR, and of LogSoftmax.
class SoftmaxBase : public Node {
public:
    SoftmaxBase() = default;
    SoftmaxBase(const Output& x, std::int64_t axis) : Node({x}), axis_(axis) {}

    std::int64_t axis() const { return axis_; }
    void set_axis(std::int64_t axis) { axis_ = axis; }

    static void visit_attributes(auto& self, auto& visitor) { visitor.on("axis", self.axis_); }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    std::int64_t axis_ = 1;
};

/// The newer form: a negative axis counts from the end.
class Softmax final : public Op<Softmax, SoftmaxBase> {
public:
    static constexpr OpType kType{"SoftMax", 8};
    using Op::Op;
};

/// The older form: the axis can't be negative.
class Softmax1 final : public Op<Softmax1, SoftmaxBase> {
public:
    static constexpr OpType kType{"SoftMax", 1};
    using Op::Op;

    void infer(InferContext& context) const override;
};

}  // namespace rondo::ops
