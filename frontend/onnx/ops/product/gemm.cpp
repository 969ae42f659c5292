// Converts Gemm, and FusedGemm of com.microsoft.
#include <cmath>
#include <limits>

#include "core/ops/common/extents.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/elementwise/fused_activation.hpp"
#include "frontend/onnx/ops/product/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

Output scaled(NodeContext& context, const std::string& role, const Output& value, float factor) {
    if (factor == 1) return value;
    const Output scale = make_filled(context, role.empty() ? "factor" : role + "/factor",
                                     value.element_type(), {}, factor);
    return context.make<ops::Binary>(role, ops::BinaryFunction::multiply, value, scale);
}

// C is broadcast to the product's shape where that is allowed, never the other way round.
void check_addend(const PartialShape& c, const PartialShape& product, bool broadcasts) {
    if (broadcasts) return check_broadcast(c, product, "C");
    if (c.intersect(product)) return;
    throw ModelError("C has shape " + to_string(c) + ", which is not " + to_string(product));
}

PartialShape matrix(const Dimension& rows, const Dimension& columns, bool transposes) {
    return transposes ? PartialShape{columns, rows} : PartialShape{rows, columns};
}

// The addend may not make the product wider. `name` is the last op's.
Output added(NodeContext& context, const std::string& name, const Output& product,
             const Output& addend) {
    const bool fits = ops::never_widens(addend.shape(), product.shape());
    const Output sum = make_sum(context, fits ? name : "sum", product, addend);
    return fits ? sum : make_in_shape_of(context, name, sum, product);
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

// alpha * A' * B' + beta * C, where ' swaps the axes with transA / transB. `name` is the last op's.
Output gemm(NodeContext& context, const std::string& name, bool broadcasts = true) {
    Attributes& attributes = context.attributes();
    const float alpha = attributes.find_float("alpha").value_or(1);
    const float beta = attributes.find_float("beta").value_or(1);
    const bool transposes_a = attributes.flag("transA", false);
    const bool transposes_b = attributes.flag("transB", false);
    Output a = context.input(0), b = context.input(1);
    NodeContext::check_shape(a, PartialShape::of_rank(2), "A");
    NodeContext::check_shape(b, PartialShape::of_rank(2), "B");
    const ElementType type = NodeContext::known_type(a, "A");
    check_factor("alpha", alpha, type);
    check_factor("beta", beta, type);
    const Output c = context.optional_input(2);
    const bool adds = c && beta != 0;
    const bool scales = alpha != 1;
    if (adds) {
        const PartialShape met = extents_met(c.shape(), PartialShape::of_rank(2));
        a = with_extents(context, "A", a, matrix(met[0], Dimension(), transposes_a));
        b = with_extents(context, "B", b, matrix(Dimension(), met[1], transposes_b));
    }
    auto product = std::make_shared<ops::MatMul>(a, b);
    product->set_transpose_a(transposes_a);
    product->set_transpose_b(transposes_b);
    context.finish(product, adds || scales ? "product" : name);
    if (c) check_addend(c.shape(), product->output_shape(0), broadcasts);
    if (!adds) return scaled(context, name, product, alpha);
    return added(context, name, scaled(context, "scaled", product, alpha),
                 scaled(context, "C", c, beta));
}

}  // namespace

// An attribute says whether C is broadcast.
std::vector<Output> convert_gemm_1(NodeContext& context) {
    return {gemm(context, "", context.attributes().flag("broadcast", false))};
}

std::vector<Output> convert_gemm_7(NodeContext& context) { return {gemm(context, "")}; }

std::vector<Output> convert_fused_gemm(NodeContext& context) {
    Composer by(context);
    const Output sum = gemm(context, by.role());
    return {by.result(activated(by, named_activation(context), sum))};
}

}  // namespace rondo::onnx
