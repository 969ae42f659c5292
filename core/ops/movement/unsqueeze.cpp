#include "core/ops/movement/unsqueeze.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"
#include "core/graph/known_extents.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
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
    const auto axes = constant_ints(*this, 1);
    const auto is_new = axes ? named_among(*axes, output_shape(0).rank()) : std::nullopt;
    if (!is_new || (*is_new)[axis]) return std::nullopt;
    const auto end = is_new->begin() + static_cast<std::ptrdiff_t>(axis);
    return rows_of_data(*this, axis,
                        static_cast<std::size_t>(std::count(is_new->begin(), end, false)));
}

}  // namespace rondo::ops
