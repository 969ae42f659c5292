#include "core/ops/movement/squeeze.hpp"

#include "core/graph/infer_context.hpp"
#include "core/graph/known_extents.hpp"
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
    const auto axes = input_count() == 2 ? constant_ints(*this, 1) : std::vector<std::int64_t>();
    const auto named = axes ? named_among(*axes, data.rank()) : std::nullopt;
    if (!named || !output_shape(0).has_rank()) return std::nullopt;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < data.rank(); ++i) {
        const bool goes = axes->empty() ? data[i] == Dimension(1) : (*named)[i];
        if (!goes) kept.push_back(i);
    }
    return rows_of_data(*this, axis, kept.at(axis));
}

}  // namespace rondo::ops
