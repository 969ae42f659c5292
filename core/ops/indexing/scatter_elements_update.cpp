#include "core/ops/indexing/scatter_elements_update.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/ops/indexing/indices.hpp"
#include "core/ops/indexing/scatter_reduction.hpp"

namespace rondo::ops {
namespace {

constexpr std::size_t kIndices = 1;
constexpr std::size_t kUpdates = 2;
constexpr std::size_t kAxis = 3;

void check_updates(const InferContext& context) {
    const PartialShape& indices = context.shape(kIndices);
    const PartialShape& updates = context.shape(kUpdates);
    context.check(indices.intersect(updates).has_value(), "updates have shape " +
                                                              to_string(updates) + "; expected " +
                                                              to_string(indices) + ", as indices");
}

}  // namespace

void ScatterElementsUpdate::infer(InferContext& context) const {
    context.check_input_count(4, 4);
    check_indices(context, kIndices, "indices");
    vector_length(context, kAxis, "axis");
    const ElementType type = context.merge_types({0, kUpdates});
    check_reduction(context, reduction_, type);
    check_updates(context);
    const PartialShape& data = context.shape(0);
    const auto axis = single_int(context, kAxis, "axis");
    if (axis && data.has_rank()) {
        const std::size_t normal = normalize_axis(context, *axis, data.rank());
        if (context.shape(kIndices).has_rank()) {
            check_beside_axis(context, kIndices, "indices", normal);
        }
    }
    // The axis decides no extent, but a plan must know it: its call is made for it.
    context.set_output(0, type,
                       axis || !data.has_rank() ? data : PartialShape::of_rank(data.rank()));
}

std::optional<IndependentAxis> ScatterElementsUpdate::independent_axis(std::size_t,
                                                                       std::size_t axis) const {
    const auto rows = rows_beside_named_axis(*this, axis, 3);
    if (!rows) return std::nullopt;
    // Indices may be smaller: then there are rows without updates.
    const Dimension& extent = input(0).shape()[axis];
    if (!extent.is_static() || extent != input(1).shape()[axis]) return std::nullopt;
    IndependentAxis all = *rows;
    all.inputs[1] = axis;
    all.inputs[2] = axis;
    return all;
}

}  // namespace rondo::ops
