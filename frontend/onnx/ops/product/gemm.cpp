// Converts Gemm, and FusedGemm of com.microsoft.
#include <cmath>
#include <limits>

#include "core/ops/elementwise/binary.hpp"
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
    if (!c.has_rank() || !product.has_rank()) return;
    bool fits = broadcasts ? c.rank() <= product.rank() : c.rank() == product.rank();
    for (std::size_t i = 0; fits && i < c.rank(); ++i) {
        const Dimension& wide = product[i + product.rank() - c.rank()];
        fits = (broadcasts && c[i].contains(1)) || c[i].intersect(wide);
    }
    if (fits) return;
    throw ModelError("C has shape " + to_string(c) + ", which " +
                     (broadcasts ? "can't be broadcast to " : "is not ") + to_string(product));
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
    auto product = std::make_shared<ops::MatMul>(context.input(0), context.input(1));
    product->set_transpose_a(attributes.flag("transA", false));
    product->set_transpose_b(attributes.flag("transB", false));
    NodeContext::check_shape(context.input(0), PartialShape::of_rank(2), "A");
    NodeContext::check_shape(context.input(1), PartialShape::of_rank(2), "B");
    const ElementType type = NodeContext::known_type(context.input(0), "A");
    check_factor("alpha", alpha, type);
    check_factor("beta", beta, type);
    const Output c = context.optional_input(2);
    const bool adds = c && beta != 0;
    const bool scales = alpha != 1;
    context.finish(product, adds || scales ? "product" : name);
    if (c) check_addend(c.shape(), product->output_shape(0), broadcasts);
    if (!adds) return scaled(context, name, product, alpha);
    return context.make<ops::Binary>(name, ops::BinaryFunction::add,
                                     scaled(context, "scaled", product, alpha),
                                     scaled(context, "C", c, beta));
}

// An attribute says whether C is broadcast.
std::vector<Output> convert_gemm_1(NodeContext& context) {
    return {gemm(context, "", context.attributes().flag("broadcast", false))};
}

std::vector<Output> convert_gemm_7(NodeContext& context) { return {gemm(context, "")}; }

std::vector<Output> fused_gemm(NodeContext& context) {
    Composer by(context);
    const Output sum = gemm(context, by.role());
    return {by.result(activated(by, named_activation(context), sum))};
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "Gemm", 1, convert_gemm_1},
    {"", "Gemm", 7, convert_gemm_7},
    {"com.microsoft", "FusedGemm", 1, fused_gemm},
};

}  // namespace

std::span<const OpEntry> gemm_converters() { return kEntries; }

}  // namespace rondo::onnx
