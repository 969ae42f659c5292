// Takes single elements, or slices, of a tensor by their places.
#include "core/ops/indexing/indexing_ops.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
void check_indices(const InferContext& context, std::size_t input, std::string_view what) {
    const ElementType type = context.type(input);
    context.check(
        is_integral(type) || type == ElementType::dynamic,
        std::string(what) + " have type " + std::string(to_string(type)) + "; expected integers");
}

void check_beside_axis(const InferContext& context, std::size_t input, std::string_view what,
                       std::size_t axis) {
    const PartialShape& data = context.shape(0);
    const PartialShape& shape = context.shape(input);
    bool fits = data.rank() == shape.rank();
    for (std::size_t i = 0; fits && i < data.rank(); ++i) {
        fits = i == axis || shape[i].min() <= data[i].max();
    }
    context.check(fits, std::string(what) + " have shape " + to_string(shape) +
                            ", but data has shape " + to_string(data) +
                            "; expected the same rank, and no larger extent except along axis " +
                            std::to_string(axis));
}

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

namespace {

void check_batch(const InferContext& context, std::int64_t batch_dims, std::size_t input,
                 const char* what) {
    const PartialShape& shape = context.shape(input);
    const bool fits = !shape.has_rank() || batch_dims < static_cast<std::int64_t>(shape.rank());
    context.check(batch_dims >= 0 && fits, "batch_dims is " + std::to_string(batch_dims) +
                                               ", but " + what + " shape " + to_string(shape) +
                                               "; expected 0 or more, and below that rank");
}

PartialShape gathered(const InferContext& context, std::size_t batch) {
    const PartialShape& data = context.shape(0);
    const PartialShape& indices = context.shape(1);
    if (!data.has_rank() || !indices.has_rank()) return {};
    const Dimension& places = indices[indices.rank() - 1];
    const auto most = static_cast<std::int64_t>(data.rank() - batch);
    context.check(places.max() >= 1 && places.min() <= most,
                  "indices have shape " + to_string(indices) + "; expected 1 to " +
                      std::to_string(most) + " places in their last axis, since data has shape " +
                      to_string(data));
    if (!places.is_static()) return {};
    std::vector<Dimension> result(indices.dimensions().begin(), indices.dimensions().end() - 1);
    for (std::size_t i = 0; i < batch; ++i) {
        result[i] =
            context.merge(data[i], indices[i], "the extent of batch axis " + std::to_string(i));
    }
    const auto first = batch + static_cast<std::size_t>(places.length());
    for (std::size_t i = first; i < data.rank(); ++i) result.push_back(data[i]);
    return {std::move(result)};
}

}  // namespace

void GatherND::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    check_indices(context, 1, "indices");
    check_batch(context, batch_dims_, 0, "data has");
    check_batch(context, batch_dims_, 1, "indices have");
    context.set_output(0, context.type(0),
                       gathered(context, static_cast<std::size_t>(batch_dims_)));
}

// Axes B.. of both, J.. of the indices, E.. of the data.
std::optional<IndependentAxis> GatherND::independent_axis(std::size_t, std::size_t axis) const {
    const PartialShape& indices = input(1).shape();
    const auto batch = static_cast<std::size_t>(batch_dims_);
    const std::size_t first = indices.rank() - 1;  // of the axes E..
    IndependentAxis rows(2, 1, axis);
    if (axis < batch) rows.inputs[0] = axis;
    if (axis < first) {
        rows.inputs[1] = axis;
        return rows;
    }
    const Dimension& places = indices[first];
    if (!places.is_static()) return std::nullopt;
    rows.inputs[0] = batch + static_cast<std::size_t>(places.length()) + axis - first;
    return rows;
}

}  // namespace rondo::ops
