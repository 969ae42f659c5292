// Converts Gemm, and FusedGemm of com.microsoft.
#include <cmath>
#include <limits>

#include "core/ops/product/matmul.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/elementwise/fused_activation.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// C is broadcast to the product's shape if that is allowed, never the reverse.
void check_addend(const PartialShape& c, const PartialShape& product, bool broadcasts) {
    if (broadcasts) return check_broadcast(c, product, "C");
    if (c.intersect(product)) return;
    throw ModelError("C has shape " + to_string(c) + ", which is not " + to_string(product));
}

PartialShape matrix(const Dimension& rows, const Dimension& columns, bool transposes) {
    return transposes ? PartialShape{columns, rows} : PartialShape{rows, columns};
}

// Integers are scaled by what they can hold.
void check_factor(const char* name, float factor, ElementType type) {
    if (is_floating(type)) return;
    const bool negates = type == ElementType::i32 || type == ElementType::i64;
    const float most = 1 << std::numeric_limits<float>::digits;
    const bool fits = factor == std::trunc(factor) && factor <= most && factor >= -most &&
                      (factor >= 0 || negates);
    if (fits) return;
    throw UnsupportedError("attribute '" + std::string(name) + "' is " + std::to_string(factor) +
                           ", which A's type, " + std::string(to_string(type)) + ", can't hold");
}

}  // namespace

// alpha * A' * B' + beta * C, where ' swaps the axes with transA / transB. In the old form an
// attribute says whether C is broadcast.
std::vector<Output> convert_gemm(NodeContext& by, bool is_old) {
    const bool broadcasts = !is_old || by.attribute("broadcast", false);
    const float alpha = by.attribute("alpha", 1.0F), beta = by.attribute("beta", 1.0F);
    const bool transposes_a = by.attribute("transA", false);
    const bool transposes_b = by.attribute("transB", false);
    Output a = by.input(0), b = by.input(1);
    NodeContext::check_shape(a, PartialShape::of_rank(2), "A");
    NodeContext::check_shape(b, PartialShape::of_rank(2), "B");
    const ElementType type = NodeContext::known_type(a, "A");
    check_factor("alpha", alpha, type);
    check_factor("beta", beta, type);
    const Output c = by.optional_input(2);
    const bool adds = c && beta != 0;
    if (adds) {
        const PartialShape met = extents_met(c.shape(), PartialShape::of_rank(2));
        a = with_extents(by, a, matrix(met[0], Dimension(), transposes_a));
        b = with_extents(by, b, matrix(Dimension(), met[1], transposes_b));
    }
    auto node = std::make_shared<ops::MatMul>(a, b);
    node->set_transpose_a(transposes_a);
    node->set_transpose_b(transposes_b);
    const Output product = by.finish(node);
    if (c) check_addend(c.shape(), product.shape(), broadcasts);
    const Output scaled = by.scaled(product, alpha);
    if (!adds) return {scaled};
    const Output addend = by.scaled(c, beta);
    return {in_shape_of(by, by.add(scaled, addend), scaled, {addend})};
}

std::vector<Output> convert_fused_gemm(NodeContext& by) {
    const Output sum = convert_gemm(by, false)[0];
    return {activated(by, named_activation(by), sum)};
}

}  // namespace rondo::onnx
