// Takes elements of a tensor at points between them, which another tensor names.
#include "core/ops/window/samplers.hpp"

#include <string>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {

GridRule GridSample::rule() const {
    GridRule rule = rule_;
    rule.is_f64 = input(1).element_type() == ElementType::f64;
    return rule;
}

const OpType& GridSample::op_type() const {
    if (input_count() == 0) return kType;
    const PartialShape& data = input(0).shape();
    return data.has_rank() && data.rank() != 4 ? kRondoType : kType;
}

void GridSample::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    if (rule_.mode != GridMode::nearest) {
        check_type(context, TypeRule::floating, context.type(0), "the data is");
    }
    check_type(context, TypeRule::floating, context.type(1), "the grid is");
    const PartialShape &data = context.shape(0), &grid = context.shape(1);
    if (!data.has_rank() && !grid.has_rank()) {
        context.set_output(0, context.type(0), {});
        return;
    }
    const std::size_t rank = data.has_rank() ? data.rank() : grid.rank();
    if (rank < 3 || rank > 2 + kMaxSpatial) {
        context.refuse("the data has rank " + std::to_string(rank) + "; expected 3 to " +
                       std::to_string(2 + kMaxSpatial));
    }
    context.check_rank(1, rank, "grid");
    PartialShape shape = PartialShape::of_rank(rank);
    if (data.has_rank()) {
        shape[0] = data[0];
        shape[1] = data[1];
    }
    if (grid.has_rank()) {
        shape[0] = context.merge(shape[0], grid[0], "the batch");
        for (std::size_t i = 2; i < rank; ++i) shape[i] = grid[i - 1];
        context.check(grid[rank - 1].contains(static_cast<std::int64_t>(rank) - 2),
                      "grid has shape " + to_string(grid) + "; expected " +
                          std::to_string(rank - 2) + " numbers a point");
    }
    context.set_output(0, context.type(0), std::move(shape));
}

std::optional<IndependentAxis> GridSample::independent_axis(std::size_t, std::size_t axis) const {
    if (axis > 1) return std::nullopt;
    IndependentAxis rows = rows_of_data(*this, axis, axis);
    if (axis == 0) rows.inputs[1] = 0;
    return rows;
}

}  // namespace rondo::ops
