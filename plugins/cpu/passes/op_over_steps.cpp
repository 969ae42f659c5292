#include "plugins/cpu/passes/op_over_steps.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "transformations/common/equal_shapes.hpp"
#include "transformations/common/views.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::cpu {
namespace {

using Ints = std::vector<std::int64_t>;

// Counted from the end, axes are the same with and without the axis of the steps.
Ints from_end(Ints axes, std::size_t rank) {
    for (std::int64_t& axis : axes) {
        if (axis >= 0) axis -= static_cast<std::int64_t>(rank);
    }
    return axes;
}

bool only_data_varies(const std::vector<bool>& varies) {
    return varies[0] && std::find(varies.begin() + 1, varies.end(), true) == varies.end();
}

// The axes that input 1 gives, of the ops whose axes are those of input 0.
std::optional<Ints> given_axes(const Node& node) {
    const bool known = as_op<ops::Reduce>(node) != nullptr || as_op<ops::Mvn>(node) != nullptr ||
                       as_op<ops::Split>(node) != nullptr ||
                       as_op<ops::VariadicSplit>(node) != nullptr;
    return known ? passes::constant_ints(node.input(1)) : std::nullopt;
}

// The order with the axis of the steps in front.
std::optional<Ints> order_over_steps(const Node& node) {
    if (as_op<ops::Transpose>(node) == nullptr) return {};
    const auto order = passes::constant_ints(node.input(1));
    if (!order || order->size() != node.input(0).shape().rank()) return {};
    Ints over_steps{0};
    for (const std::int64_t axis : *order) over_steps.push_back(axis + 1);
    return over_steps;
}

// The pattern of a view whose output is known: 0 keeps the axis of the steps.
std::optional<Ints> pattern_over_steps(const Node& node) {
    if (as_op<ops::Reshape>(node) == nullptr) return {};
    Ints pattern{0};
    for (const Dimension& extent : node.output_shape(0).dimensions()) {
        if (!extent.is_static() || extent.length() == 0) return {};
        pattern.push_back(extent.length());
    }
    return pattern;
}

std::optional<Ints> view_axes_over_steps(const Node& node) {
    const bool changes_axes =
        as_op<ops::Squeeze>(node) != nullptr || as_op<ops::Unsqueeze>(node) != nullptr;
    const auto axes = changes_axes ? passes::view_axes(node) : std::nullopt;
    if (!axes) return {};
    Ints over_steps;
    for (const std::size_t axis : *axes) over_steps.push_back(static_cast<std::int64_t>(axis) + 1);
    return over_steps;
}

// Rows times a matrix that is the same in all steps.
bool multiplies_rows(const Node& node, const std::vector<bool>& varies) {
    const auto* product = as_op<ops::MatMul>(node);
    return product != nullptr && only_data_varies(varies) && !product->transpose_a() &&
           node.input(0).shape().rank() >= 1 && node.input(1).shape().rank() == 2;
}

// True if broadcasting certainly succeeds: where an extent is open, any other one of that axis is 1
// or the same one.
bool broadcasts_surely(const Node& node, const SameExtent& same_extent) {
    const std::size_t rank = node.output_shape(0).rank();
    for (std::size_t back = 1; back <= rank; ++back) {
        const Output* wide = nullptr;
        bool is_open = false;
        for (const Output& input : node.inputs()) {
            const PartialShape& shape = input.shape();
            if (shape.rank() < back || shape[shape.rank() - back] == Dimension(1)) continue;
            is_open = is_open || !shape[shape.rank() - back].is_static();
            const bool fits =
                wide == nullptr || *wide == input || !is_open ||
                same_extent(*wide, wide->shape().rank() - back, input, shape.rank() - back);
            if (!fits) return false;
            wide = &input;
        }
    }
    return true;
}

bool has_ranks(const Node& node) {
    const auto& inputs = node.inputs();
    const bool outputs = node.output_count() > 0 && node.output_shape(0).has_rank();
    return outputs && std::all_of(inputs.begin(), inputs.end(),
                                  [](const Output& input) { return input.shape().has_rank(); });
}

// Elementwise ops broadcast from the last axis on, so missing axes go behind that of the steps.
Output with_rank(passes::Rewriter& rewriter, const Output& all, std::size_t missing,
                 const std::string& name) {
    if (missing == 0) return all;
    Ints axes;
    for (std::size_t i = 0; i < missing; ++i) axes.push_back(static_cast<std::int64_t>(i) + 1);
    return rewriter.make<ops::Unsqueeze>(name, all, rewriter.make_ints(name + "/axes", axes));
}

// The same op with its attribute for one axis more.
NodePtr with_axis_from_end(passes::Rewriter& rewriter, const Node& node,
                           std::vector<Output> inputs) {
    const std::size_t rank = node.input(0).shape().rank();
    if (const auto* joined = as_op<ops::Concat>(node)) {
        return rewriter.make<ops::Concat>(node.name(), std::move(inputs),
                                          from_end({joined->axis()}, rank)[0]);
    }
    const NodePtr made = rewriter.clone(node, std::move(inputs));
    auto& softmax = dynamic_cast<ops::SoftmaxBase&>(*made);
    softmax.set_axis(from_end({softmax.axis()}, rank)[0]);
    made->validate();
    return made;
}

// The axes, or the axis of a Split, which has no axes of its own.
Output make_axes(passes::Rewriter& rewriter, const Ints& axes, bool is_scalar,
                 const std::string& name) {
    if (!is_scalar) return rewriter.make_ints(name, axes);
    Tensor value(ElementType::i64, Shape{});
    *static_cast<std::int64_t*>(value.data()) = axes[0];
    return rewriter.make_constant(name, std::move(value));
}

bool varies_wholly(const std::vector<bool>& varies) {
    return std::find(varies.begin(), varies.end(), false) == varies.end();
}

bool has_axis_attribute(const Node& node, const std::vector<bool>& varies) {
    return (as_op<ops::Concat>(node) != nullptr && varies_wholly(varies)) ||
           as_op<ops::Softmax>(node) != nullptr || as_op<ops::LogSoftmax>(node) != nullptr;
}

}  // namespace

bool runs_over_steps(const Node& node, const std::vector<bool>& varies) {
    if (!has_ranks(node)) return false;
    if (node.traits().elementwise)
        return !passes::needs_equal_shapes(node) || varies_wholly(varies);
    if (multiplies_rows(node, varies)) return true;
    if (has_axis_attribute(node, varies)) return true;
    return only_data_varies(varies) && (given_axes(node) || order_over_steps(node) ||
                                        pattern_over_steps(node) || view_axes_over_steps(node));
}

bool never_fails(const Node& node, const SameExtent& same_extent) {
    if (!has_ranks(node)) return false;
    if (node.traits().elementwise) return broadcasts_surely(node, same_extent);
    std::vector<bool> varies(node.input_count());
    varies[0] = true;
    if (!runs_over_steps(node, varies)) return false;
    const auto is_static = [](const Output& input) { return input.shape().is_static(); };
    if (std::all_of(node.inputs().begin(), node.inputs().end(), is_static)) return true;
    if (as_op<ops::MatMul>(node) != nullptr) {
        const PartialShape& rows = node.input(0).shape();
        return rows[rows.rank() - 1].is_static() && is_static(node.input(1));
    }
    return node.traits().view ? passes::always_fits(node) : !node.traits().cuts;
}

NodePtr make_over_steps(passes::Rewriter& rewriter, const Node& node,
                        const std::vector<bool>& varies, std::vector<Output> inputs) {
    const std::string name = node.name() + "/axes";
    if (node.traits().elementwise) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::size_t missing = node.output_shape(0).rank() - node.input(i).shape().rank();
            if (varies[i]) inputs[i] = with_rank(rewriter, inputs[i], missing, node.name());
        }
    } else if (const auto axes = given_axes(node)) {
        inputs[1] = make_axes(rewriter, from_end(*axes, node.input(0).shape().rank()),
                              node.input(1).shape().rank() == 0, name);
    } else if (const auto order = order_over_steps(node)) {
        inputs[1] = rewriter.make_ints(name, *order);
    } else if (const auto pattern = pattern_over_steps(node)) {
        return rewriter.make<ops::Reshape>(node.name(), inputs[0],
                                           rewriter.make_ints(name, *pattern), true);
    } else if (const auto places = view_axes_over_steps(node)) {
        const Output over_steps = rewriter.make_ints(name, *places);
        if (as_op<ops::Unsqueeze>(node) == nullptr) {
            return rewriter.make<ops::Squeeze>(node.name(), inputs[0], over_steps);
        }
        return rewriter.make<ops::Unsqueeze>(node.name(), inputs[0], over_steps);
    } else if (has_axis_attribute(node, varies)) {
        return with_axis_from_end(rewriter, node, std::move(inputs));
    }
    return rewriter.clone(node, std::move(inputs));
}

}  // namespace rondo::cpu
