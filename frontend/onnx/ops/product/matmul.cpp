// Converts MatMul, Einsum, the forms of FusedMatMul of com.microsoft, and Det.
#include "core/ops/product/matmul.hpp"

#include "core/ops/einsum.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/elementwise/fused_activation.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// [d0, d1, ..., dn] as [d1, ..., d0, dn]: the first axis becomes that of the rows.
Output batch_first(NodeContext& by, const std::string& name, const Output& matrices) {
    if (!matrices.shape().has_rank()) {
        throw UnsupportedError("attribute 'transBatch" + name + "' is 1, but the rank of " + name +
                               " isn't known");
    }
    const std::size_t rank = matrices.shape().rank();
    if (rank < 3) return matrices;
    Ints order = ints_from(1, rank - 1);
    order.push_back(0);
    order.push_back(static_cast<std::int64_t>(rank) - 1);
    return by.transpose(matrices, order);
}

}  // namespace

std::vector<Output> convert_matmul(NodeContext& by) {
    return {by.product(by.input(0), by.input(1))};
}

std::vector<Output> convert_einsum(NodeContext& by) {
    const std::string equation = by.required_string("equation");
    return {ops::einsum(by, equation, by.all_inputs(1))};
}

// alpha * A' * B', where ' swaps the last two axes with transA / transB.
std::vector<Output> convert_fused_mat_mul(NodeContext& by) {
    const auto operand = [&](const std::string& name, std::size_t index) {
        const Output value = by.input(index);
        return by.attribute("transBatch" + name, false) ? batch_first(by, name, value) : value;
    };
    const double alpha = by.attribute("alpha", 1.0F);
    const auto product = std::make_shared<ops::MatMul>(operand("A", 0), operand("B", 1));
    product->set_transpose_a(by.attribute("transA", false));
    product->set_transpose_b(by.attribute("transB", false));
    const Output y = by.finish(product);
    if (alpha == 1) return {y};
    return {by.multiply(y, by.number(NodeContext::known_type(by.input(0), "A"), alpha))};
}

std::vector<Output> convert_fused_mat_mul_activation(NodeContext& by) {
    const Output product = convert_fused_mat_mul(by)[0];
    return {activated(by, named_activation(by), product)};
}

std::vector<Output> convert_det(NodeContext& by) { return {by.make<ops::Det>(by.input(0))}; }

}  // namespace rondo::onnx
