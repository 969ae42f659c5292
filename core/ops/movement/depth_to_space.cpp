#include "core/ops/movement/depth_to_space.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"

namespace rondo::ops {

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

}  // namespace rondo::ops
