// The reduce family: one value of all elements along some axes. Each op is a row of kReduceOps.
#include "core/ops/reduction/reduction_ops.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

void check_axes_input(const InferContext& context) {
    const ElementType type = context.type(1);
    if (type != ElementType::dynamic && !is_integral(type)) {
        context.fail("axes are " + std::string(to_string(type)) + "; expected integers");
    }
    const PartialShape& shape = context.shape(1);
    if (shape.has_rank() && shape.rank() > 1) {
        context.fail("axes have shape " + to_string(shape) + "; expected rank 0 or 1");
    }
}

// The shape while the axes aren't known: a kept axis has its extent, or 1. One axis that is dropped
// leaves the rank known, and no extent: a known shape would say that the axes don't matter.
PartialShape open_shape(const InferContext& context, bool keep_dims) {
    const PartialShape& data = context.shape(0);
    if (!data.has_rank()) return {};
    if (!keep_dims) {
        const PartialShape& axes = context.shape(1);
        const bool is_one = axes.is_static() && element_count(axes.to_shape()) == 1;
        return is_one && data.rank() > 1 ? PartialShape::of_rank(data.rank() - 1) : PartialShape();
    }
    std::vector<Dimension> result;
    for (const auto& extent : data.dimensions()) {
        result.emplace_back(std::min<std::int64_t>(extent.min(), 1),
                            std::max<std::int64_t>(extent.max(), 1));
    }
    return {std::move(result)};
}

}  // namespace

std::vector<bool> reduced_axes(const InferContext& context, const std::vector<std::int64_t>& axes,
                               std::size_t rank) {
    std::vector<bool> reduced(rank);
    for (const std::int64_t axis : axes) reduced[normalize_axis(context, axis, rank)] = true;
    return reduced;
}

void Reduce::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.type(0);
    check_type(context, info_->types, type, "the data is");
    check_axes_input(context);
    const PartialShape& data = context.shape(0);
    const auto axes = context.ints(1);
    if (!data.has_rank() || !axes) {
        context.set_output(0, type, open_shape(context, keep_dims_));
        return;
    }
    const auto reduced = reduced_axes(context, *axes, data.rank());
    std::vector<Dimension> result;
    for (std::size_t i = 0; i < data.rank(); ++i) {
        if (!reduced[i]) {
            result.push_back(data[i]);
        } else if (keep_dims_) {
            result.emplace_back(1);
        }
    }
    context.set_output(0, type, std::move(result));
}

bool is(const Node& node, ReduceFunction function) {
    const auto* reduce = as_op<Reduce>(node);
    return reduce != nullptr && reduce->function() == function;
}

std::optional<IndependentAxis> Reduce::independent_axis(std::size_t, std::size_t axis) const {
    const auto axes = constant_ints(input(1));
    const std::size_t rank = input(0).shape().rank();
    const auto reduced = axes ? named_among(*axes, rank) : std::nullopt;
    if (!reduced) return std::nullopt;
    std::size_t kept = 0;  // axes of the output so far
    for (std::size_t i = 0; i < rank; ++i) {
        if ((*reduced)[i] && !keep_dims_) continue;
        if (kept++ != axis) continue;
        if ((*reduced)[i]) return std::nullopt;
        return rows_of_data(*this, axis, i);
    }
    return std::nullopt;
}

}  // namespace rondo::ops
