#include "plugins/cpu/passes/batched_op.hpp"

#include <algorithm>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "transformations/analysis/equal_shapes.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/analysis/views.hpp"

namespace rondo::cpu {
namespace {

bool only_data_varies(const std::vector<bool>& varies) {
    return varies[0] && std::find(varies.begin() + 1, varies.end(), true) == varies.end();
}

bool varies_wholly(const std::vector<bool>& varies) {
    return std::find(varies.begin(), varies.end(), false) == varies.end();
}

// All inputs vary that have the axes which the op names, and no other ones.
bool runs_along_axes(const Node& node, const std::vector<bool>& varies) {
    if (!passes::written_axes(node)) return false;
    const std::size_t count = std::min(node.traits().inputs_with_axes, varies.size());
    const auto others = varies.begin() + static_cast<std::ptrdiff_t>(count);
    return std::find(varies.begin(), others, false) == others &&
           std::find(others, varies.end(), true) == varies.end();
}

// A view to known extents, or one that names its axes.
bool is_known_view(const Node& node) {
    const PartialShape& shape = node.output_shape(0);
    if (!node.traits().view) return false;
    if (as_op<ops::Reshape>(node) == nullptr) return passes::view_axes(node).has_value();
    return shape.is_static() && element_count(shape.to_shape()) > 0;
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

}  // namespace

bool runs_over_steps(const Node& node, const std::vector<bool>& varies) {
    if (node.output_count() == 0 || !node.has_ranks()) return false;
    if (node.traits().elementwise)
        return !passes::needs_equal_shapes(node) || varies_wholly(varies);
    if (multiplies_rows(node, varies)) return true;
    if (runs_along_axes(node, varies)) return true;
    return only_data_varies(varies) && (is_known_view(node) || passes::order_of(node));
}

bool never_fails(const Node& node, const SameExtent& same_extent) {
    if (node.output_count() == 0 || !node.has_ranks()) return false;
    if (node.traits().elementwise) return broadcasts_surely(node, same_extent);
    std::vector<bool> varies(node.input_count());
    const std::size_t data = std::min(node.traits().inputs_with_axes, varies.size());
    std::fill_n(varies.begin(), data, true);
    if (!runs_over_steps(node, varies)) return false;
    const auto is_static = [](const Output& input) { return input.shape().is_static(); };
    if (std::all_of(node.inputs().begin(), node.inputs().end(), is_static)) return true;
    if (as_op<ops::MatMul>(node) != nullptr) {
        const PartialShape& rows = node.input(0).shape();
        return rows[rows.rank() - 1].is_static() && is_static(node.input(1));
    }
    return node.traits().view ? passes::always_fits(node) : !node.traits().cuts;
}

}  // namespace rondo::cpu
