#include "core/ops/indexing/gather_elements.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/ops/indexing/indices.hpp"

namespace rondo::ops {

void GatherElements::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    check_indices(context, 1, "indices");
    const PartialShape& data = context.shape(0);
    PartialShape result = context.shape(1);
    if (data.has_rank()) {
        const std::size_t axis = normalize_axis(context, axis_, data.rank());
        if (!result.has_rank()) result = PartialShape::of_rank(data.rank());
        if (context.shape(1).has_rank()) check_beside_axis(context, 1, "indices", axis);
    }
    context.set_output(0, context.type(0), std::move(result));
}

std::optional<IndependentAxis> GatherElements::independent_axis(std::size_t,
                                                                std::size_t axis) const {
    const PartialShape& data = input(0).shape();
    const auto own = named_among({axis_}, data.rank());
    if (!own || (*own)[axis]) return std::nullopt;
    // Indices may be smaller: then the rows of data aren't those of the output.
    const Dimension& extent = data[axis];
    if (!extent.is_static() || extent != input(1).shape()[axis]) return std::nullopt;
    IndependentAxis rows = rows_of_data(*this, axis, axis);
    rows.inputs[1] = axis;
    return rows;
}

}  // namespace rondo::ops
