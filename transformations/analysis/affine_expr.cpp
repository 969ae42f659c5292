#include "transformations/analysis/affine_expr.hpp"

#include "core/extents/integers.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"

namespace rondo::passes {
namespace {

constexpr std::size_t kExtent = 0;
constexpr std::size_t kCounter = 1;
constexpr std::int64_t kMost = 1 << 30;  // far from any overflow

}  // namespace

bool keeps_extents(const Node& node) {
    return as_op<ops::Convert>(node) != nullptr && holds_extents(node.output_type(0));
}

std::optional<AffineExpr> affine_expr(const Output& value, const AffineLeaves& leaves) {
    const auto element = [&](const Output& leaf) -> Integer {
        if (const auto more = leaves.counter(leaf)) {
            return ExtentSum::variable(kCounter).plus(*more);
        }
        if (known_value(leaf) || !leaves.is_extent(leaf)) return {};
        return ExtentSum::variable(kExtent);
    };
    const Integer sum = IntegerReader(Arithmetic::meant, {element, leaves.outside}).read(value, 0);
    if (!sum) return {};
    AffineExpr result;
    for (const ExtentSum::Term& term : sum->terms()) {
        if (term.factor > kMost || term.factor < -kMost) return {};
        if (term.symbols.empty()) {
            result.constant = term.factor;
        } else if (term.symbols.size() == 1 && term.symbols.front().is_variable()) {
            (term.symbols.front().axis == kExtent ? result.extent : result.counter) = term.factor;
        } else {
            return {};
        }
    }
    return result;
}

bool are_equal(const AffineExpr& a, const AffineExpr& b, const Dimension& extent) {
    const std::int64_t extents = a.extent - b.extent;
    const std::int64_t constant = a.constant - b.constant;
    if (a.counter != b.counter) return false;
    if (!extent.is_static()) return extents == 0 && constant == 0;
    return extents * extent.length() + constant == 0;
}

}  // namespace rondo::passes
