// Evaluates Det.
#include <algorithm>
#include <cmath>

#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {
namespace {

// Brings the row with the greatest number of column k to row k; true where rows were exchanged.
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
