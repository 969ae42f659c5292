// Repeats a tensor along axes of extent 1 and along new ones.
#include "core/ops/movement/movement_ops.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/support/strings.hpp"

namespace rondo::ops {
namespace {

PartialShape target_shape(const InferContext& context, const std::vector<std::int64_t>& target) {
    std::vector<Dimension> extents;
    for (const std::int64_t extent : target) {
        context.check(extent >= 0,
                      "the target shape holds " + std::to_string(extent) + "; expected extents");
        extents.emplace_back(extent);
    }
    return {std::move(extents)};
}

// What a target that a graph computes is known to be.
PartialShape partly_known(std::vector<Dimension> extents, std::size_t rank) {
    if (extents.size() != rank) return PartialShape::of_rank(rank);
    return {std::move(extents)};
}

// The extent of an axis of the output that data has too.
Dimension broadcast_extent(const InferContext& context, const Dimension& data,
                           const Dimension& target) {
    if (data.contains(1)) return target;
    const auto common = data.intersect(target);
    if (!common) {
        context.fail("data of shape " + to_string(context.shape(0)) + " has an extent " +
                     to_string(data) + " where the target shape has " + to_string(target) +
                     "; expected the same or 1");
    }
    return *common;
}

PartialShape one_way(const InferContext& context, BroadcastMode mode, PartialShape target) {
    const PartialShape& data = context.shape(0);
    if (!data.has_rank() || !target.has_rank()) return target;
    const auto axes = broadcast_axes(context, mode, target.rank());
    if (!axes) return target;
    for (std::size_t i = 0; i < data.rank(); ++i) {
        Dimension& extent = target[(*axes)[i]];
        extent = broadcast_extent(context, data[i], extent);
    }
    return target;
}

}  // namespace

std::optional<std::vector<std::size_t>> broadcast_axes(const InferContext& context,
                                                       BroadcastMode mode, std::size_t rank) {
    const PartialShape& data = context.shape(0);
    std::vector<std::size_t> axes;
    if (mode != BroadcastMode::explicit_axes) {
        context.check(data.rank() <= rank, "data has shape " + to_string(data) +
                                               ", but the target only rank " +
                                               std::to_string(rank));
        for (std::size_t i = 0; i < data.rank(); ++i) axes.push_back(rank - data.rank() + i);
        return axes;
    }
    const auto mapping = context.ints(2);
    if (!mapping) return std::nullopt;
    context.check(mapping->size() == data.rank(), "axes_mapping has " +
                                                      counted(mapping->size(), "element") +
                                                      ", but data has shape " + to_string(data));
    for (const std::int64_t axis : *mapping) {
        context.check(axis >= 0 && axis < static_cast<std::int64_t>(rank),
                      "axes_mapping names axis " + std::to_string(axis) +
                          ", but the target has rank " + std::to_string(rank));
        context.check(axes.empty() || static_cast<std::size_t>(axis) > axes.back(),
                      "axes_mapping must grow from element to element");
        axes.push_back(static_cast<std::size_t>(axis));
    }
    return axes;
}

void Broadcast::infer(InferContext& context) const {
    const bool needs_mapping = mode_ == BroadcastMode::explicit_axes;
    context.check_input_count(needs_mapping ? 3 : 2, 3);
    const auto rank = vector_length(context, 1, "target");
    if (needs_mapping) vector_length(context, 2, "axes_mapping");
    const auto values = context.ints(1);
    PartialShape target;
    if (values) {
        target = target_shape(context, *values);
    } else if (rank) {
        target = partly_known(context.extents(1), *rank);
    }
    PartialShape result = mode_ == BroadcastMode::bidirectional
                              ? broadcast_shapes(context, context.shape(0), target)
                              : one_way(context, mode_, std::move(target));
    context.set_output(0, context.type(0), std::move(result));
}

// Broadcasting both ways keeps an extent of the data that isn't 1.
std::vector<ExtentSource> Broadcast::extent_sources(std::size_t, std::size_t axis) const {
    const PartialShape& data = input(0).shape();
    const PartialShape& target = input(1).shape();
    if (!data.has_rank() || !output_shape(0).has_rank() || !target.is_static()) return {};
    const std::size_t from_end = output_shape(0).rank() - axis;
    const std::size_t given = element_count(target.to_shape());
    if (from_end > given) return {{0, data.rank() - from_end}};
    const bool keeps_data = mode_ == BroadcastMode::bidirectional && from_end <= data.rank() &&
                            data[data.rank() - from_end] != Dimension(1);
    if (keeps_data) return {};
    return {{1, given - from_end, true}};
}

}  // namespace rondo::ops
