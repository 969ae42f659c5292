// Removes axes of extent 1, or puts them in.
#include "core/ops/movement/movement_ops.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"
#include "core/graph/inference.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

// The axes of data that the node names.
std::vector<bool> named_axes(const InferContext& context, const std::vector<std::int64_t>& axes,
                             bool may_skip) {
    const PartialShape& data = context.shape(0);
    std::vector<bool> named(data.rank());
    for (const std::int64_t axis : axes) {
        const std::size_t normal = normalize_axis(context, axis, data.rank());
        if (may_skip && data[normal] != Dimension(1)) {
            context.refuse("allow_axis_skip is true, and axis " + std::to_string(normal) +
                           " has extent " + to_string(data[normal]) + "; expected 1");
        }
        context.check(data[normal].contains(1), "axis " + std::to_string(normal) +
                                                    " of data of shape " + to_string(data) +
                                                    " can't be removed; expected extent 1");
        named[normal] = true;
    }
    return named;
}

PartialShape without_ones(const PartialShape& data) {
    std::vector<Dimension> kept;
    for (const auto& extent : data.dimensions()) {
        if (!extent.contains(1)) {
            kept.push_back(extent);
        } else if (!extent.is_static()) {
            return {};  // this axis may stay or go
        }
    }
    return {std::move(kept)};
}

PartialShape squeezed(const InferContext& context, bool may_skip) {
    const PartialShape& data = context.shape(0);
    const bool has_axes = context.input_count() == 2;
    if (has_axes) vector_length(context, 1, "axes");
    const auto axes = has_axes ? context.ints(1) : std::vector<std::int64_t>();
    const bool is_known = data.has_rank() && axes.has_value();
    if (may_skip && has_axes && !is_known) {
        context.refuse("allow_axis_skip is true, and the axes or the rank of data are open");
    }
    if (!is_known) return {};
    if (axes->empty()) return without_ones(data);
    const auto named = named_axes(context, *axes, may_skip);
    std::vector<Dimension> kept;
    for (std::size_t i = 0; i < data.rank(); ++i) {
        if (!named[i]) kept.push_back(data[i]);
    }
    return {std::move(kept)};
}

}  // namespace

std::vector<Dimension> Squeeze::known_extents(std::size_t, int steps) const {
    return rondo::known_extents(input(0), steps);
}

void Squeeze::infer(InferContext& context) const {
    context.check_input_count(1, 2);
    context.set_output(0, context.type(0), squeezed(context, may_skip_));
}

std::optional<IndependentAxis> Squeeze::independent_axis(std::size_t, std::size_t axis) const {
    const PartialShape& data = input(0).shape();
    const auto axes = input_count() == 2 ? constant_ints(input(1)) : std::vector<std::int64_t>();
    const auto named = axes ? named_among(*axes, data.rank()) : std::nullopt;
    if (!named || !output_shape(0).has_rank()) return std::nullopt;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < data.rank(); ++i) {
        const bool goes = axes->empty() ? data[i] == Dimension(1) : (*named)[i];
        if (!goes) kept.push_back(i);
    }
    return rows_of_data(*this, axis, kept.at(axis));
}

namespace {

PartialShape unsqueezed(const InferContext& context) {
    const PartialShape& data = context.shape(0);
    const auto added = vector_length(context, 1, "axes");
    const auto axes = context.ints(1);
    if (!data.has_rank() || !added) return {};
    const std::size_t rank = data.rank() + *added;
    if (!axes) return PartialShape::of_rank(rank);
    std::vector<bool> is_new(rank);
    for (const std::size_t axis : distinct_axes(context, *axes, rank)) is_new[axis] = true;
    std::vector<Dimension> result;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i) {
        result.push_back(is_new[i] ? Dimension(1) : data[next++]);
    }
    return {std::move(result)};
}

}  // namespace

std::vector<Dimension> Unsqueeze::known_extents(std::size_t, int steps) const {
    return rondo::known_extents(input(0), steps);
}

void Unsqueeze::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    context.set_output(0, context.type(0), unsqueezed(context));
}

std::optional<IndependentAxis> Unsqueeze::independent_axis(std::size_t, std::size_t axis) const {
    const auto axes = constant_ints(input(1));
    const auto is_new = axes ? named_among(*axes, output_shape(0).rank()) : std::nullopt;
    if (!is_new || (*is_new)[axis]) return std::nullopt;
    const auto end = is_new->begin() + static_cast<std::ptrdiff_t>(axis);
    return rows_of_data(*this, axis,
                        static_cast<std::size_t>(std::count(is_new->begin(), end, false)));
}

}  // namespace rondo::ops
