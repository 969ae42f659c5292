#include "core/ops/movement/space_to_depth.hpp"

#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"

namespace rondo::ops {

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
