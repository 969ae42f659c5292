// The product of matrices, or of batches of them.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Inputs of one numeric type: a [..., M, K], b [..., K, N]; with transpose_a / transpose_b the
/// last two axes are swapped. Leading axes broadcast as in NumPy. Output: [..., M, N].
/// An input of rank 1 is a row (a) or column (b) whose axis is dropped again; transposing it
/// changes nothing.
class MatMul final : public Op<MatMul> {
public:
    static constexpr OpType kType{"MatMul", 1};

    MatMul() = default;
    MatMul(const Output& a, const Output& b) : Op({a, b}) {}

    bool transpose_a() const { return transpose_a_; }
    bool transpose_b() const { return transpose_b_; }
    void set_transpose_a(bool transpose) { transpose_a_ = transpose; }
    void set_transpose_b(bool transpose) { transpose_b_ = transpose; }

    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on("transpose_a", self.transpose_a_);
        visitor.on("transpose_b", self.transpose_b_);
    }
    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;

private:
    bool transpose_a_ = false;
    bool transpose_b_ = false;
};

}  // namespace rondo::ops
