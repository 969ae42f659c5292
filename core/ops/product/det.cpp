#include "core/ops/product/det.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/ops/common/type_rule.hpp"

namespace rondo::ops {

void Det::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    check_type(context, TypeRule::floating, context.type(0), "the input is");
    const PartialShape& shape = context.shape(0);
    if (!shape.has_rank()) {
        context.set_output(0, context.type(0), PartialShape());
        return;
    }
    const std::size_t rank = shape.rank();
    context.check(rank >= 2 && shape[rank - 1].intersect(shape[rank - 2]),
                  "the input has shape " + to_string(shape) + "; expected square matrices");
    std::vector<Dimension> batch = shape.dimensions();
    batch.resize(rank - 2);
    context.set_output(0, context.type(0), PartialShape(std::move(batch)));
}

std::optional<IndependentAxis> Det::independent_axis(std::size_t, std::size_t axis) const {
    return rows_of_data(*this, axis, axis);
}

}  // namespace rondo::ops
