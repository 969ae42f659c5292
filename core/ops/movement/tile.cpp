// Repeats a whole tensor along its axes.
#include "core/ops/movement/movement_ops.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

void check_repeats(const InferContext& context, const std::vector<std::int64_t>& repeats) {
    for (const std::int64_t repeat : repeats) {
        context.check(repeat >= 0,
                      "repeats hold " + std::to_string(repeat) + "; expected 0 or more");
    }
}

PartialShape tiled_shape(const InferContext& context) {
    const PartialShape& data = context.shape(0);
    const auto count = vector_length(context, 1, "repeats");
    const auto repeats = context.ints(1);
    if (repeats) check_repeats(context, *repeats);
    if (!data.has_rank() || !count) return {};
    const std::size_t rank = std::max(data.rank(), *count);
    if (!repeats) return PartialShape::of_rank(rank);
    std::vector<Dimension> result(rank, Dimension(1));
    std::copy(data.dimensions().begin(), data.dimensions().end(),
              result.end() - static_cast<std::ptrdiff_t>(data.rank()));
    for (std::size_t i = 0; i < *count; ++i) {
        Dimension& extent = result[rank - *count + i];
        extent = multiply_extents(context, {extent, (*repeats)[i]});
    }
    return {std::move(result)};
}

}  // namespace

void Tile::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    context.set_output(0, context.type(0), tiled_shape(context));
}

std::optional<IndependentAxis> Tile::independent_axis(std::size_t, std::size_t axis) const {
    const auto repeats = constant_ints(input(1));
    if (!repeats) return std::nullopt;
    const std::size_t data_rank = input(0).shape().rank();
    const std::size_t rank = std::max(data_rank, repeats->size());
    if (axis < rank - data_rank) return std::nullopt;
    const std::size_t ones = rank - repeats->size();
    if (axis >= ones && (*repeats)[axis - ones] != 1) return std::nullopt;
    return rows_of_data(*this, axis, axis - (rank - data_rank));
}

}  // namespace rondo::ops
