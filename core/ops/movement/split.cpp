#include "core/ops/movement/split.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

PartialShape part_shape(const InferContext& context, std::int64_t num_splits) {
    const PartialShape& data = context.shape(0);
    const auto axis = single_int(context, 1, "axis");
    if (!data.has_rank()) return {};
    if (!axis) return PartialShape::of_rank(data.rank());
    const std::size_t normal = normalize_axis(context, *axis, data.rank());
    const auto extent = divide_extent(data[normal], num_splits);
    if (!extent) {
        context.fail("axis " + std::to_string(normal) + " of data of shape " + to_string(data) +
                     " can't be split into " + std::to_string(num_splits) + " equal parts");
    }
    PartialShape part = data;
    part[normal] = *extent;
    return part;
}

}  // namespace

void Split::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    context.check(num_splits_ >= 1,
                  "num_splits is " + std::to_string(num_splits_) + "; expected 1 or more");
    check_output_count(context, num_splits_);
    const PartialShape part = part_shape(context, num_splits_);
    for (std::int64_t i = 0; i < num_splits_; ++i) {
        context.set_output(static_cast<std::size_t>(i), context.type(0), part);
    }
}

std::optional<IndependentAxis> Split::independent_axis(std::size_t, std::size_t axis) const {
    return rows_beside_named_axis(*this, axis, 1);
}

}  // namespace rondo::ops
