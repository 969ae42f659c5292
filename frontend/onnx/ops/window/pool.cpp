// Converts MaxPool and AveragePool; pooling over all of the spatial axes is a reduction.
#include <numeric>
#include <string>
#include <utility>

#include "core/ops/movement/transpose.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/window/pool.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

// Places in column-major order within a plane, from those in row-major order: [D0,D1,D2] has
// i0 + D0 (i1 + D1 i2) instead of (i0 D1 + i1) D2 + i2.
class ColumnMajor {
public:
    ColumnMajor(NodeContext& context, const Output& x, std::size_t axes) : context_(context) {
        const Output shape = make_shape_of(context, "x_shape", x);
        for (std::size_t i = 0; i < axes; ++i) {
            extents_.push_back(
                make_element(context, "extent", shape, static_cast<std::int64_t>(i) + 2));
        }
    }

    Output convert(Output rest) {
        Output result = make_ints(context_, "none", {0});
        Output volume = extents_.front();
        for (std::size_t i = 1; i < extents_.size(); ++i) volume = times(volume, extents_[i]);
        // The innermost index comes off first, and counts the most.
        Output weight = volume;
        for (std::size_t i = extents_.size(); i-- > 0;) {
            weight = over(weight, extents_[i]);
            const Output outer = over(rest, extents_[i]);
            const Output index = binary(BinaryFunction::subtract, rest, times(outer, extents_[i]));
            result = binary(BinaryFunction::add, result, times(index, weight));
            rest = outer;
        }
        // What is left counts planes.
        return binary(BinaryFunction::add, result, times(rest, volume));
    }

private:
    Output binary(BinaryFunction function, const Output& a, const Output& b) {
        return make_binary(context_, "place", function, a, b);
    }
    Output times(const Output& a, const Output& b) {
        return binary(BinaryFunction::multiply, a, b);
    }
    Output over(const Output& a, const Output& b) { return binary(BinaryFunction::divide, a, b); }

    NodeContext& context_;
    std::vector<Output> extents_;
};

}  // namespace

std::vector<Output> convert_max_pool(NodeContext& context) {
    const Output x = context.input(0);
    auto attributes = pool_attributes(context, x);
    const std::size_t axes = attributes.kernel.size();
    const bool by_columns = context.attributes().flag("storage_order", false);
    const auto pool = context.make<ops::MaxPool>("", x, std::move(attributes));
    if (!context.has_output(1)) return {pool->output(0)};
    if (!by_columns || axes == 1) return {pool->output(0), pool->output(1)};
    return {pool->output(0), ColumnMajor(context, x, axes).convert(pool->output(1))};
}

// onnxruntime's MaxPool of [N,H,W,C].
std::vector<Output> convert_nhwc_max_pool(NodeContext& context) {
    const Output x = with_channels_first(context, "channels_first", context.input(0));
    const auto pool = context.make<ops::MaxPool>("pool", x, pool_attributes(context, x));
    return {with_channels_last(context, "", pool->output(0))};
}

std::vector<Output> convert_average_pool(NodeContext& context) {
    const Output x = context.input(0);
    auto attributes = pool_attributes(context, x);
    const bool counts_pads = context.attributes().flag("count_include_pad", false);
    return {context.make<ops::AvgPool>("", x, std::move(attributes), !counts_pads)};
}

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
