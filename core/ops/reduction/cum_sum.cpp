// Sums and products of the elements so far.
#include "core/ops/reduction/reduction_ops.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {

void Cumulation::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    check_type(context, TypeRule::number, context.type(0), "x is");
    vector_length(context, 1, "axis");
    const PartialShape& x = context.shape(0);
    const auto axis = single_int(context, 1, "axis");
    if (axis && x.has_rank()) normalize_axis(context, *axis, x.rank());
    context.set_output(0, context.type(0), x);
}

std::optional<IndependentAxis> Cumulation::independent_axis(std::size_t, std::size_t axis) const {
    return rows_beside_named_axis(*this, axis, 1);
}

}  // namespace rondo::ops
