// Ops on matrices: products of numbers and of quantized integers, and determinants.
#pragma once

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "core/graph/op_traits.hpp"

namespace rondo::ops {

/// Whether the last two axes of an operand are swapped first.
struct Transposition {
    bool a = false;
    bool b = false;
};

/// The shape of input 0, [..., M, K], times input 1, [..., K, N]: [..., M, N]. Leading axes
/// broadcast as in NumPy; an input of rank 1 is a row (a) or a column (b) whose axis is dropped
/// again. Throws through `context` if they don't fit.
PartialShape product_shape(const InferContext& context, Transposition transposed);

/// Which rows along `axis` of such a product depend on which rows of inputs 0 and 1, for operands
/// of these ranks; more inputs count as a whole.
IndependentAxis product_rows(std::size_t a_rank, std::size_t b_rank, std::size_t axis,
                             Transposition transposed, std::size_t input_count = 2);

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

/// Inputs: a [..., M, K] and b [..., K, N], u8 or i8 each; a_zero_point and b_zero_point, of a's
/// and of b's type, which broadcast to a and b as in NumPy and have extent 1 along K. Output:
/// (a - a_zero_point) * (b - b_zero_point), i32: [..., M, N], exact modulo 2^32. Leading axes and
/// inputs of rank 1: as MatMul.
class MatMulInteger final : public Op<MatMulInteger> {
public:
    static constexpr OpType kType{"MatMulInteger", 0};

    MatMulInteger() = default;
    MatMulInteger(const Output& a, const Output& b, const Output& a_zero_point,
                  const Output& b_zero_point)
        : Op({a, b, a_zero_point, b_zero_point}) {}

    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

/// Input: matrices [..., n, n] of a floating type. Output: the determinant of each, [...], computed
/// in double and rounded once: the product of the pivots of Gauss's elimination, which are the
/// greatest of their columns. It is 1 if n is 0.
class Det final : public Op<Det> {
public:
    static constexpr OpType kType{"Det", 0};

    Det() = default;
    explicit Det(const Output& matrices) : Op({matrices}) {}

    void infer(InferContext& context) const override;
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
};

}  // namespace rondo::ops
