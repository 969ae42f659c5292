#include "transformations/analysis/views.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>

#include "core/graph/constants.hpp"
#include "core/graph/infer_context.hpp"
#include "core/graph/tensor_impl.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reference/evaluate.hpp"

namespace rondo::passes {

std::optional<AxisOrder> order_of(const Node& node) {
    if (as_op<ops::Transpose>(node) == nullptr) return {};
    const PartialShape& data = node.input(0).shape();
    const auto order = constant_ints(node.input(1));
    if (!data.has_rank() || !order) return {};
    const InferContext context(node, {});
    return ops::transpose_order(context, *order, data.rank());
}

bool is_identity(const AxisOrder& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] != i) return false;
    }
    return true;
}

bool moves_only_unit_axes(const AxisOrder& order, const PartialShape& data) {
    std::size_t next = 0;
    for (const std::size_t axis : order) {
        if (data[axis] == Dimension(1)) continue;
        if (axis < next) return false;
        next = axis;
    }
    return true;
}

AxisOrder combine(const AxisOrder& first, const AxisOrder& second) {
    AxisOrder result;
    for (const std::size_t axis : second) result.push_back(first[axis]);
    return result;
}

AxisOrder inverse(const AxisOrder& order) {
    AxisOrder result(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) result[order[i]] = i;
    return result;
}

std::vector<std::int64_t> to_ints(const std::vector<std::size_t>& axes) {
    return {axes.begin(), axes.end()};
}

namespace {

bool is_squeeze(const Node& node) { return dynamic_cast<const ops::Squeeze*>(&node) != nullptr; }

bool is_unsqueeze(const Node& node) {
    return dynamic_cast<const ops::Unsqueeze*>(&node) != nullptr;
}

std::vector<std::size_t> unit_axes(const PartialShape& shape) {
    std::vector<std::size_t> axes;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (shape[i] == Dimension(1)) axes.push_back(i);
    }
    return axes;
}

// The extents that a Reshape has to make fit: without those that a 0 copies.
struct Fit {
    std::int64_t known = 1;  // product of the data's known extents
    std::int64_t asked = 1;  // product of the pattern's numbers
    bool all_known = true;
    bool has_rest = false;  // a -1
};

std::optional<Fit> fit_of(const ops::Reshape& reshape, const std::vector<std::int64_t>& pattern) {
    const PartialShape& data = reshape.input(0).shape();
    Fit fit;
    for (std::size_t i = 0; i < std::max(data.rank(), pattern.size()); ++i) {
        const bool copied = i < pattern.size() && pattern[i] == 0 && reshape.special_zero();
        if (copied) continue;
        if (i < data.rank()) {
            fit.all_known &= data[i].is_static();
            if (data[i].is_static()) fit.known *= data[i].length();
        }
        if (i < pattern.size()) {
            fit.has_rest |= pattern[i] == -1;
            if (pattern[i] != -1) fit.asked *= pattern[i];
        }
        if (fit.known > (1 << 24) || fit.asked > (1 << 24)) return {};  // instead of overflowing
    }
    return fit;
}

bool reshape_always_fits(const ops::Reshape& reshape) {
    const PartialShape& data = reshape.input(0).shape();
    const auto pattern = constant_ints(reshape.input(1));
    if (!pattern || !data.has_rank()) return false;
    if (data.is_static()) return true;  // inference has checked it
    const auto fit = fit_of(reshape, *pattern);
    if (!fit) return false;
    if (fit->all_known) return true;
    return fit->has_rest && fit->asked > 0 && fit->known % fit->asked == 0;
}

}  // namespace

std::optional<std::vector<std::size_t>> view_axes(const Node& view) {
    const bool squeezes = is_squeeze(view);
    const PartialShape& longer = squeezes ? view.input(0).shape() : view.output_shape(0);
    if ((!squeezes && !is_unsqueeze(view)) || !longer.has_rank()) return {};
    const auto ints =
        view.input_count() == 2 ? constant_ints(view.input(1)) : std::vector<std::int64_t>();
    if (!ints) return {};
    if (squeezes && ints->empty()) {
        if (!view.output_shape(0).has_rank()) return {};
        return unit_axes(longer);
    }
    auto axes = normalized_axes(*ints, longer.rank());
    if (!axes) return {};
    std::sort(axes->begin(), axes->end());
    axes->erase(std::unique(axes->begin(), axes->end()), axes->end());
    return axes;
}

bool always_fits(const Node& view) {
    if (const auto* reshape = dynamic_cast<const ops::Reshape*>(&view)) {
        return reshape_always_fits(*reshape);
    }
    const auto axes = view_axes(view);
    if (!axes) return false;
    const PartialShape& data = view.input(0).shape();
    return is_unsqueeze(view) || std::all_of(axes->begin(), axes->end(), [&](std::size_t axis) {
               return data[axis] == Dimension(1);
           });
}

std::optional<std::vector<std::int64_t>> pattern_for(const PartialShape& shape) {
    if (!shape.has_rank()) return {};
    std::vector<std::int64_t> pattern;
    for (const auto& extent : shape.dimensions()) {
        pattern.push_back(extent.is_static() ? extent.length() : -1);
    }
    const auto open = std::count(pattern.begin(), pattern.end(), -1);
    const bool any_zero = std::find(pattern.begin(), pattern.end(), 0) != pattern.end();
    if (open > 1 || (open == 1 && any_zero)) return {};  // 0 / 0 doesn't determine the -1
    return pattern;
}

bool same_extents(const PartialShape& a, const PartialShape& b) {
    const auto pattern = pattern_for(a);
    return pattern && pattern == pattern_for(b);
}

Output make_axis_move(Rewriter& rewriter, const Output& data, std::size_t from, std::size_t to,
                      const std::string& name) {
    AxisOrder order(data.shape().rank());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    if (is_identity(order)) return data;
    return rewriter.make<ops::Transpose>(name, data,
                                         rewriter.make_ints(name + "/order", to_ints(order)));
}

Output make_unit_axis_move(Rewriter& rewriter, const Output& data, const AxisOrder& order,
                           const std::string& name) {
    const PartialShape& shape = data.shape();
    std::vector<Dimension> moved;
    for (const std::size_t axis : order) moved.push_back(shape[axis]);
    if (const auto pattern = pattern_for(moved)) {
        return rewriter.make<ops::Reshape>(name, data,
                                           rewriter.make_ints(name + "/pattern", *pattern));
    }
    const Output removed = rewriter.make_ints(name + "/removed", to_ints(unit_axes(shape)));
    const Output inserted = rewriter.make_ints(name + "/inserted", to_ints(unit_axes(moved)));
    const Output dense = rewriter.make<ops::Squeeze>(name + "/squeeze", data, removed);
    return rewriter.make<ops::Unsqueeze>(name, dense, inserted);
}

namespace {

// Whether parts along the axis are contiguous in memory: no axis varies more slowly.
bool is_outermost(const Tensor& axis, const Shape& shape) {
    const auto axes = normalized_axes(to_int64_vector(axis), shape.size());
    if (!axes || axes->size() != 1) return false;
    const auto end = shape.begin() + static_cast<std::ptrdiff_t>(axes->front());
    return std::all_of(shape.begin(), end, [](std::size_t extent) { return extent == 1; });
}

}  // namespace

std::vector<Tensor> views_of_constant(const Node& node, const std::vector<Tensor>& inputs) {
    const bool is_cut = node.traits().cuts;
    if (!is_cut && !node.traits().view) return {};
    const Tensor whole = inputs[0].contiguous();
    if (is_cut && !is_outermost(inputs[1], whole.shape())) return {};
    std::vector<Tensor> views;
    const auto* at = static_cast<const char*>(whole.data());
    for (const auto& [type, shape] : reference::infer_outputs(node, inputs)) {
        views.emplace_back(type, shape, at, Tensor::Impl::of(whole).owner);
        at += views.back().byte_size();
    }
    return views;
}

}  // namespace rondo::passes
