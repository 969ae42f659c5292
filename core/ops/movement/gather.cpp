// Takes slices of a tensor by index.
#include "core/ops/movement/movement_ops.hpp"

#include "core/graph/infer_context.hpp"
#include "core/graph/inference.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

// batch_dims; a negative one counts from the end of indices.
std::size_t batch_count(const InferContext& context, std::int64_t batch_dims) {
    const PartialShape& indices = context.shape(1);
    const auto rank = static_cast<std::int64_t>(indices.rank());
    context.check(batch_dims >= -rank && batch_dims <= rank,
                  "batch_dims is " + std::to_string(batch_dims) + ", but indices have shape " +
                      to_string(indices));
    return static_cast<std::size_t>(batch_dims < 0 ? batch_dims + rank : batch_dims);
}

PartialShape gathered(const InferContext& context, std::size_t axis, std::size_t batch) {
    const PartialShape& data = context.shape(0);
    const PartialShape& indices = context.shape(1);
    context.check(batch <= axis, "batch_dims is " + std::to_string(batch) +
                                     "; expected no more than the axis, " + std::to_string(axis));
    std::vector<Dimension> result;
    for (std::size_t i = 0; i < axis; ++i) {
        const std::string what = "the extent of batch axis " + std::to_string(i);
        result.push_back(i < batch ? context.merge(data[i], indices[i], what) : data[i]);
    }
    for (std::size_t i = batch; i < indices.rank(); ++i) result.push_back(indices[i]);
    for (std::size_t i = axis + 1; i < data.rank(); ++i) result.push_back(data[i]);
    return {std::move(result)};
}

PartialShape gathered(const InferContext& context, std::int64_t batch_dims) {
    const PartialShape& data = context.shape(0);
    const auto axis = single_int(context, 2, "axis");
    if (!data.has_rank()) return {};
    context.check(data.rank() > 0, "data is a scalar; expected rank 1 or more");
    std::optional<std::size_t> normal;
    if (axis) normal = normalize_axis(context, *axis, data.rank());
    if (!context.shape(1).has_rank()) return {};
    const std::size_t batch = batch_count(context, batch_dims);
    context.check(batch < data.rank(), "batch_dims is " + std::to_string(batch) +
                                           ", but data has shape " + to_string(data));
    if (normal) return gathered(context, *normal, batch);
    return PartialShape::of_rank(data.rank() + context.shape(1).rank() - batch - 1);
}

}  // namespace

std::vector<Dimension> Gather::known_extents(std::size_t, int steps) const {
    const auto extents = rondo::known_extents(input(0), steps);
    const Tensor indices = rondo::known_value(input(1));
    if (extents.empty() || !indices) return {};
    const auto count = static_cast<std::int64_t>(extents.size());
    std::vector<Dimension> taken;
    for (std::int64_t index : to_int64_vector(indices)) {
        if (index < 0) index += count;
        if (index < 0 || index >= count) return {};
        taken.push_back(extents[static_cast<std::size_t>(index)]);
    }
    return taken;
}

void Gather::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    const ElementType type = context.type(1);
    context.check(is_integral(type) || type == ElementType::dynamic,
                  "indices have type " + std::string(to_string(type)) + "; expected integers");
    context.set_output(0, context.type(0), gathered(context, batch_dims_));
}

std::optional<IndependentAxis> Gather::independent_axis(std::size_t, std::size_t axis) const {
    const auto constant = constant_ints(input(2));
    if (!constant || constant->size() != 1) return std::nullopt;
    const std::size_t data_rank = input(0).shape().rank();
    const std::size_t indices_rank = input(1).shape().rank();
    const auto counted = [](std::int64_t value, std::size_t rank) {
        return static_cast<std::size_t>(value < 0 ? value + static_cast<std::int64_t>(rank)
                                                  : value);
    };
    const std::size_t gathered_axis = counted(constant->front(), data_rank);
    const std::size_t batch = counted(batch_dims_, indices_rank);
    const std::size_t count = indices_rank - batch;
    IndependentAxis rows(input_count(), 1, axis);
    if (axis < gathered_axis) {
        rows.inputs[0] = axis;
        if (axis < batch) rows.inputs[1] = axis;
    } else if (axis < gathered_axis + count) {
        rows.inputs[1] = axis - gathered_axis + batch;
    } else {
        rows.inputs[0] = axis - count + 1;
    }
    return rows;
}

}  // namespace rondo::ops
