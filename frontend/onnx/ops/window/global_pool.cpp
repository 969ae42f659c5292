// Pooling over all of the spatial axes: a reduction.
#include <numeric>

#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// X: [N,C,...].
template <ops::ReduceFunction function>
std::vector<Output> global_pool(NodeContext& context) {
    const Output x = context.input(0);
    if (!x.shape().has_rank()) throw UnsupportedError("the rank of X isn't known");
    if (x.shape().rank() < 3) {
        throw ModelError("X has shape " + to_string(x.shape()) + "; expected rank 3 or more");
    }
    std::vector<std::int64_t> axes(x.shape().rank() - 2);
    std::iota(axes.begin(), axes.end(), 2);
    return {context.make<ops::Reduce>("", function, x, make_ints(context, "axes", axes), true)};
}

// keep-sorted
constexpr OpEntry kEntries[] = {
    {"", "GlobalAveragePool", 1, global_pool<ops::ReduceFunction::mean>},
    {"", "GlobalMaxPool", 1, global_pool<ops::ReduceFunction::max>},
};

}  // namespace

std::span<const OpEntry> global_pool_converters() { return kEntries; }

}  // namespace rondo::onnx
