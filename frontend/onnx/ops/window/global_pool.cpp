// Pooling over all of the spatial axes: a reduction.
#include <numeric>

#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

// X: [N,C,...].
std::vector<Output> convert_global_pool(NodeContext& context, ops::ReduceFunction function) {
    const Output x = context.input(0);
    if (!x.shape().has_rank()) throw UnsupportedError("the rank of X isn't known");
    if (x.shape().rank() < 3) {
        throw ModelError("X has shape " + to_string(x.shape()) + "; expected rank 3 or more");
    }
    std::vector<std::int64_t> axes(x.shape().rank() - 2);
    std::iota(axes.begin(), axes.end(), 2);
    return {context.make<ops::Reduce>("", function, x, make_ints(context, "axes", axes), true)};
}

}  // namespace rondo::onnx
