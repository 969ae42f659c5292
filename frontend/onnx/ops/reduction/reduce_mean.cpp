#include "core/ops/reduction/reduce.hpp"

#include <numeric>

#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

Output all_axes(NodeContext& context, const Output& data) {
    if (!data.shape().has_rank()) {
        throw UnsupportedError("it reduces all axes, but the data's rank isn't known");
    }
    std::vector<std::int64_t> axes(data.shape().rank());
    std::iota(axes.begin(), axes.end(), 0);
    return make_ints(context, "axes", axes);
}

// Whether the axes, where given, are none: 0 axes mean all in ONNX, but none in the IR.
bool are_none(const Output& axes) {
    const PartialShape& shape = axes.shape();
    if (shape.has_rank() && shape.is_static()) return element_count(shape.to_shape()) == 0;
    throw UnsupportedError("the number of axes isn't known");
}

std::vector<Output> reduce(NodeContext& context, const Output& data, const Output& axes) {
    const bool keep_dims = context.attributes().flag("keepdims", true);
    return {context.make<ops::Reduce>("", ops::ReduceFunction::mean, data, axes, keep_dims)};
}

}  // namespace

std::vector<Output> convert_reduce_mean_1(NodeContext& context) {
    const Output data = context.input(0);
    const auto axes = context.attributes().find_ints("axes");
    const bool some = axes && !axes->empty();
    return reduce(context, data,
                  some ? make_ints(context, "axes", *axes) : all_axes(context, data));
}

std::vector<Output> convert_reduce_mean_18(NodeContext& context) {
    const Output data = context.input(0);
    const Output axes = context.optional_input(1);
    const bool empty_is_none = context.attributes().flag("noop_with_empty_axes", false);
    if (axes && !are_none(axes)) return reduce(context, data, axes);
    return reduce(context, data,
                  empty_is_none ? make_ints(context, "axes", {}) : all_axes(context, data));
}

}  // namespace rondo::onnx
