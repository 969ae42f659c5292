// What DepthToSpace and SpaceToDepth have in common.
#include "core/ops/movement/movement_ops.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {

std::int64_t BlockMove::block_elements(const InferContext& context, std::size_t rank) const {
    context.check(block_size_ >= 1,
                  "block_size is " + std::to_string(block_size_) + "; expected 1 or more");
    context.check(rank >= 3, "data has shape " + to_string(context.shape(0)) +
                                 "; expected a batch, channels and spatial axes");
    std::int64_t elements = 1;
    for (std::size_t axis = 2; axis < rank; ++axis) {
        elements = saturating_multiply(elements, block_size_);
    }
    return elements;
}

std::optional<IndependentAxis> BlockMove::independent_axis(std::size_t, std::size_t axis) const {
    if (axis != 0) return std::nullopt;
    return rows_of_data(*this, 0, 0);
}

BlockAxes block_axes(const Shape& space, std::int64_t block_size, BlockMode mode) {
    const std::size_t count = space.size() - 2;  // spatial axes
    const auto channels = static_cast<std::int64_t>(space[1]);
    BlockAxes axes{{static_cast<std::int64_t>(space[0]), channels}, {}, {}};
    for (std::size_t i = 0; i < count; ++i) {
        axes.extents.push_back(static_cast<std::int64_t>(space[2 + i]) / block_size);
        axes.extents.push_back(block_size);
    }
    axes.space.resize(axes.extents.size());
    axes.depth.resize(axes.extents.size());
    // Nothing moves; the other extents may have any product.
    if (std::find(axes.extents.begin(), axes.extents.end(), 0) != axes.extents.end()) return axes;
    std::int64_t stride = 1;
    for (std::size_t i = axes.extents.size(); i-- > 0; stride *= axes.extents[i]) {
        axes.space[i] = stride;
    }
    // From the fastest on: the spatial axes, then what a channel says.
    stride = 1;
    const auto next = [&](std::size_t axis) {
        axes.depth[axis] = stride;
        stride *= axes.extents[axis];
    };
    for (std::size_t i = count; i-- > 0;) next(2 + 2 * i);
    if (mode == BlockMode::blocks_first) next(1);
    for (std::size_t i = count; i-- > 0;) next(3 + 2 * i);
    if (mode == BlockMode::depth_first) next(1);
    next(0);
    return axes;
}

void DepthToSpace::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    PartialShape result = context.shape(0);
    if (result.has_rank()) {
        const std::int64_t block = block_elements(context, result.rank());
        const auto channels = divide_extent(result[1], block);
        context.check(channels.has_value(), "data has shape " + to_string(result) +
                                                "; expected a multiple of " +
                                                std::to_string(block) + " channels");
        result[1] = *channels;
        for (std::size_t i = 2; i < result.rank(); ++i) {
            result[i] = multiply_extents(context, {result[i], block_size()});
        }
    }
    context.set_output(0, context.type(0), std::move(result));
}

void SpaceToDepth::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    const PartialShape& data = context.shape(0);
    PartialShape result = data;
    if (result.has_rank()) {
        const std::int64_t block = block_elements(context, result.rank());
        result[1] = multiply_extents(context, {result[1], block});
        for (std::size_t i = 2; i < result.rank(); ++i) {
            const auto extent = divide_extent(result[i], block_size());
            context.check(extent.has_value(), "data has shape " + to_string(data) +
                                                  "; expected spatial extents that are multiples "
                                                  "of " +
                                                  std::to_string(block_size()));
            result[i] = *extent;
        }
    }
    context.set_output(0, context.type(0), std::move(result));
}

}  // namespace rondo::ops
