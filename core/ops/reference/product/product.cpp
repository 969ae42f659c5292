// Evaluates MatMul, MatMulInteger and Det.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/ops/product/matmul.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {
namespace {

// A stack of matrices: element (row, column) lies at row * row_stride + column * column_stride.
struct Matrices {
    Shape batch;
    std::size_t rows = 1;
    std::size_t columns = 1;
    std::size_t row_stride = 0;
    std::size_t column_stride = 0;

    std::size_t size() const { return rows * columns; }
    std::size_t at(std::size_t row, std::size_t column) const {
        return row * row_stride + column * column_stride;
    }
};

// A vector is a row on the left, a column on the right.
enum class Side : std::uint8_t { left, right };

Matrices matrices(const Shape& shape, Side side, bool transposed) {
    if (shape.size() == 1) {
        return side == Side::left ? Matrices{{}, 1, shape[0], 0, 1}
                                  : Matrices{{}, shape[0], 1, 1, 0};
    }
    const std::size_t rows = shape[shape.size() - 2];
    const std::size_t columns = shape.back();
    Shape batch(shape.begin(), shape.end() - 2);
    if (transposed) return {std::move(batch), columns, rows, 1, columns};
    return {std::move(batch), rows, columns, columns, 1};
}

// The output's axes in front of its matrices.
Shape batch_of(const Shape& output, const Shape& a, const Shape& b) {
    const std::size_t matrix_axes = (a.size() > 1 ? 1u : 0u) + (b.size() > 1 ? 1u : 0u);
    return {output.begin(), output.end() - static_cast<std::ptrdiff_t>(matrix_axes)};
}

template <typename Number>
void multiply_matrices(const Matrices& left, const Matrices& right, const Number* a,
                       const Number* b, Number* result) {
    for (std::size_t i = 0; i < left.rows; ++i) {
        for (std::size_t j = 0; j < right.columns; ++j) {
            Number sum = 0;
            for (std::size_t k = 0; k < left.columns; ++k) {
                sum += a[left.at(i, k)] * b[right.at(k, j)];
            }
            *result++ = sum;
        }
    }
}

}  // namespace

void matmul(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::MatMul&>(node);
    const Shape& a_shape = inputs[0].shape();
    const Shape& b_shape = inputs[1].shape();
    const Matrices left = matrices(a_shape, Side::left, op.transpose_a());
    const Matrices right = matrices(b_shape, Side::right, op.transpose_b());
    const Shape batch = batch_of(outputs[0].shape(), a_shape, b_shape);
    compute_numbers(
        inputs[0], inputs[1], outputs[0], [&](const auto& a, const auto& b, auto& result) {
            auto* next = result.data();
            walk(batch, broadcast_strides(left.batch, batch), broadcast_strides(right.batch, batch),
                 [&](std::size_t a_matrix, std::size_t b_matrix) {
                     multiply_matrices(left, right, a.data() + a_matrix * left.size(),
                                       b.data() + b_matrix * right.size(), next);
                     next += left.rows * right.columns;
                 });
        });
}

namespace {

Tensor centred(const Tensor& matrix, const Tensor& zero_point) {
    const auto values = to_words(matrix), zeros = to_words(zero_point);
    const Shape& shape = matrix.shape();
    std::vector<std::uint64_t> differences(values.size());
    walk(shape, broadcast_strides(shape, shape), broadcast_strides(zero_point.shape(), shape),
         [&](std::size_t at, std::size_t zero) { differences[at] = values[at] - zeros[zero]; });
    Tensor result(ElementType::i32, shape);
    from_words(differences, result);
    return result;
}

}  // namespace

void matmul_integer(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor factors[] = {centred(inputs[0], inputs[2]), centred(inputs[1], inputs[3])};
    matmul(ops::MatMul(), factors, outputs);
}

namespace {

// Brings the row with the greatest number of column k to row k; true if rows were exchanged.
bool pivot(double* matrix, std::size_t n, std::size_t k) {
    std::size_t best = k;
    for (std::size_t row = k + 1; row < n; ++row) {
        if (std::fabs(matrix[row * n + k]) > std::fabs(matrix[best * n + k])) best = row;
    }
    if (best != k) std::swap_ranges(matrix + k * n, matrix + (k + 1) * n, matrix + best * n);
    return best != k;
}

double determinant(double* matrix, std::size_t n) {
    double product = 1;
    for (std::size_t k = 0; k < n; ++k) {
        if (pivot(matrix, n, k)) product = -product;
        const double top = matrix[k * n + k];
        product *= top;
        if (top == 0) return product;
        for (std::size_t row = k + 1; row < n; ++row) {
            const double factor = matrix[row * n + k] / top;
            for (std::size_t i = k; i < n; ++i) matrix[row * n + i] -= factor * matrix[k * n + i];
        }
    }
    return product;
}

}  // namespace

void det(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    auto matrices = to_doubles(inputs[0]);
    const std::size_t n = inputs[0].shape().back();
    std::vector<double> found(outputs[0].size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        found[i] = determinant(matrices.data() + i * n * n, n);
    }
    from_doubles(found, outputs[0]);
}

}  // namespace rondo::reference
