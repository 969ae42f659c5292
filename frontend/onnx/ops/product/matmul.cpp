// Converts MatMul, the forms of FusedMatMul of com.microsoft, and Det.
#include <numeric>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/elementwise/fused_activation.hpp"
#include "frontend/onnx/ops/product/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// [d0, d1, ..., dn] as [d1, ..., d0, dn]: the first axis becomes that of the rows.
Output batch_first(NodeContext& context, const std::string& name, const Output& matrices) {
    if (!matrices.shape().has_rank()) {
        throw UnsupportedError("attribute 'transBatch" + name + "' is 1, but the rank of " + name +
                               " isn't known");
    }
    const std::size_t rank = matrices.shape().rank();
    if (rank < 3) return matrices;
    std::vector<std::int64_t> order(rank);
    std::iota(order.begin(), order.end() - 2, 1);
    order[rank - 2] = 0;
    order[rank - 1] = static_cast<std::int64_t>(rank) - 1;
    return make_transpose(context, name, matrices, order);
}

// alpha * A' * B', where ' swaps the last two axes with transA / transB.
Output fused_product(NodeContext& context, const std::string& name) {
    Attributes& attributes = context.attributes();
    const auto operand = [&](const std::string& name, std::size_t index) {
        const Output value = context.input(index);
        return attributes.flag("transBatch" + name, false) ? batch_first(context, name, value)
                                                           : value;
    };
    const float alpha = attributes.find_float("alpha").value_or(1);
    const auto product = std::make_shared<ops::MatMul>(operand("A", 0), operand("B", 1));
    product->set_transpose_a(attributes.flag("transA", false));
    product->set_transpose_b(attributes.flag("transB", false));
    if (alpha == 1) return context.finish(product, name);
    const ElementType type = NodeContext::known_type(context.input(0), "A");
    const Output factor = make_filled(context, "alpha", type, {}, static_cast<double>(alpha));
    return context.make<ops::Binary>(name, ops::BinaryFunction::multiply,
                                     context.finish(product, "product"), factor);
}

}  // namespace

std::vector<Output> convert_matmul(NodeContext& context) {
    return {context.make<ops::MatMul>("", context.input(0), context.input(1))};
}

std::vector<Output> convert_fused_mat_mul(NodeContext& context) {
    return {fused_product(context, "")};
}

std::vector<Output> convert_fused_mat_mul_activation(NodeContext& context) {
    Composer by(context);
    const Output product = fused_product(context, by.role());
    return {by.result(activated(by, named_activation(context), product))};
}

std::vector<Output> convert_det(NodeContext& context) {
    return {context.make<ops::Det>("", context.input(0))};
}

}  // namespace rondo::onnx
