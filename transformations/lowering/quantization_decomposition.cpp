#include "transformations/lowering/passes.hpp"

#include <numeric>

#include "core/ops/compositions.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "transformations/pass/formula.hpp"

namespace rondo::passes {
namespace {

using ops::BinaryFunction;
using ops::UnaryFunction;

// f32 holds all integers up to 2^24. A factor of 9 bits has at most 255, its upper part 16.
constexpr std::int64_t kMostExact = std::int64_t{1} << 24;
constexpr std::int64_t kMostFactor = 255;
constexpr std::int64_t kPart = 16;
constexpr std::int64_t kMostInOnePart = kMostExact / (kMostFactor * kMostFactor);
constexpr std::int64_t kMostInTwoParts = kMostExact / (kMostFactor * kPart);

Output reduced(Formula& by, ops::ReduceFunction function, const Output& x) {
    std::vector<std::int64_t> axes(x.shape().rank());
    std::iota(axes.begin(), axes.end(), 0);
    return by.reduce(function, x, axes, false);
}

// low = min(x, 0), high = max(x, 0), scale = (high - low) / 255 or 1, zero_point = round(-low /
// scale), y = round(x / scale) + zero_point.
void lower(const std::shared_ptr<ops::DynamicQuantizeLinear>& node, Rewriter& rewriter) {
    const Output x = node->input(0);
    if (!x.shape().has_rank()) return;
    Formula by(rewriter, node->name());
    const Output zero = by.number(0, x);
    const Output low = by.minimum(reduced(by, ops::ReduceFunction::min, x), zero);
    const Output high = by.maximum(reduced(by, ops::ReduceFunction::max, x), zero);
    const Output range = by.subtract(high, low);
    const Output step = by.divide(range, by.number(255, x));
    const Output is_empty = by.equal(range, zero);
    const Output scale = by.select(is_empty, by.number(1, x), step);
    const Output start = by.subtract(zero, by.divide(low, scale));
    const Output zero_point = ops::clip(by, by.apply(UnaryFunction::round, start), 0, 255);
    const Output whole = by.apply(UnaryFunction::round, by.divide(x, scale));
    const Output y = ops::clip(by, by.add(whole, zero_point), 0, 255);
    const Output results[] = {by.convert(y, ElementType::u8), scale,
                              by.convert(zero_point, ElementType::u8)};
    for (std::size_t i = 0; i < node->output_count(); ++i) {
        if (!node->output(i).consumers().empty()) rewriter.replace(node->output(i), results[i]);
    }
}

Dimension inner_extent(const ops::MatMulInteger& node) {
    const PartialShape& a = node.input(0).shape();
    if (a.has_rank() && a.rank() > 0 && a[a.rank() - 1].is_static()) return a[a.rank() - 1];
    const PartialShape& b = node.input(1).shape();
    return b.has_rank() && b.rank() > 0 ? b[b.rank() == 1 ? 0 : b.rank() - 2] : Dimension();
}

Output without_zero_point(Formula& by, const ops::MatMulInteger& node, std::size_t matrix) {
    return by.subtract(by.convert(node.input(matrix), ElementType::f32),
                       by.convert(node.input(matrix + 2), ElementType::f32));
}

Output whole_product(Formula& by, const Output& a, const Output& b) {
    return by.convert(by.product(a, b), ElementType::i32);
}

void lower(const std::shared_ptr<ops::MatMulInteger>& node, Rewriter& rewriter) {
    const Dimension inner = inner_extent(*node);
    if (!inner.is_static() || inner.length() > kMostInTwoParts) return;
    Formula by(rewriter, node->name());
    const Output a = without_zero_point(by, *node, 0), b = without_zero_point(by, *node, 1);
    if (inner.length() <= kMostInOnePart) {
        rewriter.replace(node->output(0), whole_product(by, a, b));
        return;
    }
    const Output part = by.number(kPart, b);
    const Output upper = by.apply(UnaryFunction::floor, by.divide(b, part));
    const Output rest = by.subtract(b, by.multiply(upper, part));
    const Output parts = whole_product(by, a, upper);
    const Output shifted = by.multiply(parts, by.number(kPart, parts));
    rewriter.replace(node->output(0), by.add(shifted, whole_product(by, a, rest)));
}

}  // namespace

bool quantization_decomposition(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::DynamicQuantizeLinear>([&](const auto& op) { lower(op, rewriter); });
    rewriter.for_each<ops::MatMulInteger>([&](const auto& op) { lower(op, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
