#include "core/ops/movement/gather.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"

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

void Gather::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    const ElementType type = context.type(1);
    context.check(is_integral(type) || type == ElementType::dynamic,
                  "indices have type " + std::string(to_string(type)) + "; expected integers");
    context.set_output(0, context.type(0), gathered(context, batch_dims_));
}

}  // namespace rondo::ops
