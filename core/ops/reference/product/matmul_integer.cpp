// Evaluates MatMulInteger: the product of the differences, as i32.
#include "core/ops/product/matmul_integer.hpp"

#include <vector>

#include "core/ops/product/matmul.hpp"
#include "core/ops/reference/common/walk.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/product/evaluators.hpp"

namespace rondo::reference {
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

}  // namespace rondo::reference
