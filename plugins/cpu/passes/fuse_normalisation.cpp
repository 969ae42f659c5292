#include "plugins/cpu/passes/passes.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::cpu {
namespace {

using ops::BinaryFunction;
using ops::ReduceFunction;
using ops::UnaryFunction;

// The other input of a binary op of which one is a constant number, and that number.
struct WithNumber {
    Output value;
    double number = 0;
};

std::optional<WithNumber> with_number(const Output& output, BinaryFunction function) {
    const Node& node = output.node();
    if (!ops::is(node, function)) return {};
    for (const std::size_t i : {1U, 0U}) {
        const auto number = constant_scalar(node.input(i));
        const bool keeps_shape = node.input(1 - i).shape() == output.shape();
        if (number && keeps_shape) return WithNumber{node.input(1 - i), *number};
    }
    return {};
}

bool has_exponent(const Output& output, double exponent) {
    if (!ops::is(output.node(), BinaryFunction::power)) return false;
    return constant_scalar(output.node().input(1)) == exponent &&
           output.node().input(0).shape() == output.shape();
}

// What the square root is taken of, or an empty output.
Output under_root(const Output& output) {
    const Node& node = output.node();
    return ops::is(node, UnaryFunction::sqrt) || has_exponent(output, 0.5) ? node.input(0)
                                                                           : Output();
}

// The constant axes of a mean that keeps them, where they are the last ones.
std::optional<std::vector<std::int64_t>> axes_of_mean(const Node& node) {
    const auto* mean = as_op<ops::Reduce>(node);
    if (mean == nullptr || mean->function() != ReduceFunction::mean || !mean->keep_dims())
        return {};
    const PartialShape& shape = node.input(0).shape();
    const auto given = constant_ints(node.input(1));
    if (!given || given->empty() || !shape.has_rank()) return {};
    const auto axes = normalized_axes(*given, shape.rank());
    if (!axes) return {};
    std::vector<bool> reduced(shape.rank());
    for (const std::size_t axis : *axes) reduced[axis] = true;
    std::vector<std::int64_t> sorted;
    for (std::size_t axis = 0; axis < reduced.size(); ++axis) {
        if (reduced[axis]) sorted.push_back(static_cast<std::int64_t>(axis));
        if (!reduced[axis] && !sorted.empty()) return {};
    }
    return sorted;
}

// A tensor less its means along some axes.
struct Centred {
    Output x;
    Output mean;
    std::vector<std::int64_t> axes;
};

std::optional<Centred> centred(const Output& x, const Output& mean) {
    auto axes = axes_of_mean(mean.node());
    if (!axes || mean.node().input(0) != x) return {};
    return Centred{x, mean, *std::move(axes)};
}

std::optional<Centred> difference(const Output& output, BinaryFunction function) {
    const Node& node = output.node();
    if (!ops::is(node, function)) return {};
    if (auto found = centred(node.input(0), node.input(1))) return found;
    const bool either = function == BinaryFunction::squared_difference;
    return either ? centred(node.input(1), node.input(0)) : std::nullopt;
}

// The square of a centred tensor.
std::optional<Centred> square(const Output& output) {
    const Node& node = output.node();
    const bool is_square = has_exponent(output, 2) || (ops::is(node, BinaryFunction::multiply) &&
                                                       node.input(0) == node.input(1));
    return is_square ? difference(node.input(0), BinaryFunction::subtract)
                     : difference(output, BinaryFunction::squared_difference);
}

bool is_variance(const Output& output, const Centred& of) {
    const auto axes = axes_of_mean(output.node());
    if (!axes || *axes != of.axes) return false;
    const auto squared = square(output.node().input(0));
    return squared && squared->x == of.x && squared->mean == of.mean;
}

// Attributes for an eps that MVN can say: a float that isn't negative.
std::optional<ops::MvnAttributes> with_eps(double eps, ops::EpsMode mode) {
    const auto rounded = static_cast<float>(eps);
    if (!(rounded >= 0) || static_cast<double>(rounded) != eps) return {};
    return ops::MvnAttributes{rounded, true, mode};
}

// sqrt(variance + eps), or sqrt(variance) + eps.
std::optional<ops::MvnAttributes> deviation(const Output& output, const Centred& of) {
    using enum ops::EpsMode;
    if (const Output root = under_root(output)) {
        const auto sum = with_number(root, BinaryFunction::add);
        if (sum && is_variance(sum->value, of)) return with_eps(sum->number, inside_sqrt);
    }
    const auto sum = with_number(output, BinaryFunction::add);
    const Output root = sum ? under_root(sum->value) : Output();
    if (!root || !is_variance(root, of)) return {};
    return with_eps(sum->number, outside_sqrt);
}

// What a value is 1 / of, or an empty output.
Output reciprocal_of(const Output& output) {
    const Node& node = output.node();
    const bool divides =
        ops::is(node, BinaryFunction::divide) && constant_scalar(node.input(0)) == 1.0;
    if (divides && node.input(1).shape() == output.shape()) return node.input(1);
    return has_exponent(output, -1) ? node.input(0) : Output();
}

struct Normalised {
    Centred of;
    ops::MvnAttributes attributes;
};

std::optional<Normalised> normalised(const Node& node) {
    const auto read = [](const Output& data, const Output& divisor) -> std::optional<Normalised> {
        auto of = difference(data, BinaryFunction::subtract);
        const auto attributes = of && divisor ? deviation(divisor, *of) : std::nullopt;
        if (!attributes) return {};
        return Normalised{*std::move(of), *attributes};
    };
    if (ops::is(node, BinaryFunction::divide)) return read(node.input(0), node.input(1));
    if (!ops::is(node, BinaryFunction::multiply)) return {};
    for (const std::size_t i : {0U, 1U}) {
        if (auto found = read(node.input(i), reciprocal_of(node.input(1 - i)))) return found;
    }
    return {};
}

}  // namespace

bool fuse_normalisation(Graph& graph) {
    passes::Rewriter rewriter(graph);
    rewriter.for_each<ops::Binary>([&](const std::shared_ptr<ops::Binary>& node) {
        const ElementType type = node->output_type(0);
        if (type != ElementType::f32 && type != ElementType::f64) return;
        const auto found = normalised(*node);
        if (!found || found->of.x.shape() != node->output_shape(0)) return;
        const Output axes = rewriter.make_ints(node->name() + "/axes", found->of.axes);
        rewriter.replace(node->output(0), rewriter.make<ops::Mvn>(node->name(), found->of.x, axes,
                                                                  found->attributes));
    });
    return rewriter.changed();
}

}  // namespace rondo::cpu
