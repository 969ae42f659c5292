#include "core/ops/indexing/scatter_nd_update.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/indexing/indices.hpp"
#include "core/ops/indexing/scatter_reduction.hpp"

namespace rondo::ops {
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
