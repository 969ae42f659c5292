// Writes single elements, or slices, into a copy of a tensor by their places.
#include "core/ops/indexing/indexing_ops.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {

void check_reduction(const InferContext& context, ScatterReduction reduction, ElementType type) {
    const bool is_arithmetic =
        reduction == ScatterReduction::sub || reduction == ScatterReduction::mean;
    if (is_arithmetic) check_type(context, TypeRule::number, type, "data is");
}

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

namespace {

// What updates must look like: [J.., E..].
PartialShape expected_updates(const InferContext& context) {
    const PartialShape& data = context.shape(0);
    const PartialShape& indices = context.shape(1);
    if (!data.has_rank() || !indices.has_rank()) return {};
    context.check(indices.rank() > 0, "indices are a scalar; expected rank 1 or more");
    const Dimension& places = indices[indices.rank() - 1];
    const auto most = static_cast<std::int64_t>(data.rank());
    context.check(places.max() >= 1 && places.min() <= most,
                  "indices have shape " + to_string(indices) + "; expected 1 to " +
                      std::to_string(most) + " places in their last axis, since data has shape " +
                      to_string(data));
    if (!places.is_static()) return {};
    std::vector<Dimension> result(indices.dimensions().begin(), indices.dimensions().end() - 1);
    for (auto i = static_cast<std::size_t>(places.length()); i < data.rank(); ++i) {
        result.push_back(data[i]);
    }
    return {std::move(result)};
}

}  // namespace

void ScatterNDUpdate::infer(InferContext& context) const {
    context.check_input_count(3, 3);
    check_indices(context, 1, "indices");
    const ElementType type = context.merge_types({0, 2});
    check_reduction(context, reduction_, type);
    const PartialShape expected = expected_updates(context);
    context.check(expected.intersect(context.shape(2)).has_value(),
                  "updates have shape " + to_string(context.shape(2)) + "; expected " +
                      to_string(expected) + " for data of shape " + to_string(context.shape(0)) +
                      " and indices of shape " + to_string(context.shape(1)));
    context.set_output(0, type, context.shape(0));
}

// The axes E.. of data and updates.
std::optional<IndependentAxis> ScatterNDUpdate::independent_axis(std::size_t,
                                                                 std::size_t axis) const {
    const PartialShape& indices = input(1).shape();
    if (indices.rank() == 0) return std::nullopt;
    const Dimension& places = indices[indices.rank() - 1];
    if (!places.is_static()) return std::nullopt;
    const auto first = static_cast<std::size_t>(places.length());
    if (axis < first) return std::nullopt;
    IndependentAxis rows(3, 1, axis);
    rows.inputs[0] = axis;
    rows.inputs[2] = indices.rank() - 1 + axis - first;
    return rows;
}

}  // namespace rondo::ops
