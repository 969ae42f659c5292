// Converts MaxPool, AveragePool, LpPool (roots of sums of powers), MaxUnpool and LRN; pooling over
// all of the spatial axes is a reduction.
#include "core/ops/window/pool.hpp"

#include <algorithm>
#include <utility>

#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Places in column-major order within a plane, from those in row-major order: [D0,D1,D2] has
// i0 + D0 (i1 + D1 i2) instead of (i0 D1 + i1) D2 + i2.
Output in_column_major(NodeContext& by, const Output& x, std::size_t axes, Output rest) {
    std::vector<Output> extents;
    for (const std::int64_t axis : ints_from(2, axes + 2)) {
        extents.push_back(by.run_extent(x, axis));
    }
    Output volume = extents.front();
    for (std::size_t i = 1; i < axes; ++i) volume = by.multiply(volume, extents[i]);
    // The innermost index comes off first, and counts the most.
    Output result = by.ints({0}), weight = volume;
    for (std::size_t i = axes; i-- > 0;) {
        weight = by.divide(weight, extents[i]);
        const Output outer = by.divide(rest, extents[i]);
        const Output index = by.subtract(rest, by.multiply(outer, extents[i]));
        result = by.add(result, by.multiply(index, weight));
        rest = outer;
    }
    // What is left counts planes.
    return by.add(result, by.multiply(rest, volume));
}

}  // namespace

std::vector<Output> convert_max_pool(NodeContext& by) {
    const Output x = by.input(0);
    const auto attributes = pool_attributes(by, x);
    const std::size_t axes = attributes.kernel.size();
    const bool by_columns = by.attribute("storage_order", false);
    auto pool = by.make_all<ops::MaxPool>(x, attributes);
    if (!by.has_output(1)) return {pool[0]};
    if (by_columns && axes > 1) pool[1] = in_column_major(by, x, axes, pool[1]);
    return {pool[0], pool[1]};
}

// onnxruntime's MaxPool of [N,H,W,C].
std::vector<Output> convert_nhwc_max_pool(NodeContext& by) {
    const Output x = with_channels_first(by, by.input(0));
    return {with_channels_last(by, by.make<ops::MaxPool>(x, pool_attributes(by, x)))};
}

std::vector<Output> convert_average_pool(NodeContext& by) {
    const Output x = by.input(0);
    const auto attributes = pool_attributes(by, x);
    return {by.make<ops::AvgPool>(x, attributes, !by.attribute("count_include_pad", false))};
}

// X: [N,C,...].
std::vector<Output> convert_global_pool(NodeContext& by, ReduceFunction function) {
    const Output x = by.input(0);
    return {by.reduce(function, x, ints_from(2, NodeContext::rank_of(x, 3)))};
}

namespace {

// Before opset 2 a floating number.
double exponent_of(NodeContext& by) {
    if (by.opset() < 2) return by.attribute("p", 2.0F);
    return static_cast<double>(by.attribute_from("p", 2, 1));
}

Output power(NodeContext& by, const Output& x, double exponent) {
    return by.apply(BinaryFunction::power, x, by.number(exponent, x));
}

// |x|^p, and what undoes it.
Output powered(NodeContext& by, const Output& x, double p) {
    if (p == 2) return by.multiply(x, x);
    const Output abs = by.apply(UnaryFunction::abs, x);
    return p == 1 ? abs : power(by, abs, p);
}

Output rooted(NodeContext& by, const Output& sum, double p) {
    if (p == 2) return by.apply(UnaryFunction::sqrt, sum);
    return p == 1 ? sum : power(by, sum, 1 / p);
}

bool has_known_spatial(const PartialShape& shape) {
    return shape.has_rank() &&
           std::all_of(shape.dimensions().begin() + 2, shape.dimensions().end(),
                       [](const Dimension& extent) { return extent.is_static(); });
}

// The mean over all of a window, pads too, times its elements is the sum. If the last windows
// aren't whole, pads make them so. Returns a shape that the result must be cut to, or nothing: with
// open extents there may be a window too many, which starts after the data.
Output make_whole(NodeContext& by, ops::PoolAttributes& attributes, const Output& x) {
    if (attributes.rounding == ops::PoolRounding::floor) return {};
    auto& window = attributes.window;
    const ops::PoolAttributes wanted = attributes;
    attributes.rounding = ops::PoolRounding::floor;
    if (ops::is_same(window.auto_pad)) return {};
    window.auto_pad = ops::AutoPad::explicit_pads;  // those of VALID are 0
    const Output whole = by.make<ops::MaxPool>(x, wanted);
    if (!has_known_spatial(x.shape())) {
        for (std::size_t i = 0; i < attributes.kernel.size(); ++i) {
            window.pads_end[i] += window.strides[i] - 1;
        }
        return by.shape_of(whole);
    }
    for (std::size_t i = 0; i < attributes.kernel.size(); ++i) {
        ops::ConvolutionAxis axis = ops::axis_of(window, i);
        axis.kernel = attributes.kernel[i];
        const std::int64_t windows = whole.shape()[i + 2].length();
        const std::int64_t span = (windows - 1) * axis.stride + ops::reach_of(axis);
        const std::int64_t padded = x.shape()[i + 2].length() + axis.pad_begin + axis.pad_end;
        if (span > padded) window.pads_end[i] += span - padded;
    }
    return {};
}

}  // namespace

std::vector<Output> convert_lp_pool(NodeContext& by) {
    const Output x = by.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    auto attributes = pool_attributes(by, x);
    const double p = exponent_of(by);
    const Output shape = make_whole(by, attributes, x);
    double volume = 1;
    for (const std::int64_t extent : attributes.kernel) volume *= static_cast<double>(extent);
    const Output powers = powered(by, by.convert(x, arithmetic_type(type)), p);
    Output mean = by.make<ops::AvgPool>(powers, attributes, false);
    if (shape) {  // the first elements of each axis
        const std::size_t rank = attributes.kernel.size() + 2;
        mean = by.make<ops::Slice>(mean, by.ints(Ints(rank, 0)), shape, by.ints(Ints(rank, 1)));
    }
    return {by.convert(rooted(by, by.multiply(mean, by.number(volume, mean)), p), type)};
}

std::vector<Output> convert_global_lp_pool(NodeContext& by) {
    const Output x = by.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    const double p = exponent_of(by);
    const Ints axes = ints_from(2, NodeContext::rank_of(x, 3));
    const Output powers = powered(by, by.convert(x, arithmetic_type(type)), p);
    return {by.convert(rooted(by, by.reduce(ReduceFunction::sum, powers, axes), p), type)};
}

namespace {

// The shape of the data that the pool had: (extent - 1) * stride + kernel - pads for each spatial
// axis, at least 0.
Output unpooled_shape(NodeContext& by, const Output& x) {
    const Ints kernel = by.required_ints("kernel_shape");
    const std::size_t axes = kernel.size();
    if (NodeContext::rank_of(x, 3) != axes + 2) {
        throw ModelError("kernel_shape has " + std::to_string(axes) + " entries, but X has shape " +
                         to_string(x.shape()) + "; expected one a spatial axis");
    }
    const Ints strides = entries_of(by, "strides", axes, 1);
    const Ints pads = entries_of(by, "pads", 2 * axes, 0);
    Ints factors{1, 1}, rest{1, 1};
    bool may_be_negative = false;
    for (std::size_t i = 0; i < axes; ++i) {
        factors.push_back(strides[i]);
        rest.push_back(kernel[i] - pads[i] - pads[axes + i]);
        may_be_negative = may_be_negative || rest.back() < strides[i];
    }
    const Output steps = by.subtract(by.shape_of(x), by.ints({1}));
    const Output shape = by.add(by.multiply(steps, by.ints(factors)), by.ints(rest));
    return may_be_negative ? by.maximum(shape, by.ints({0})) : shape;
}

}  // namespace

// The elements are scattered over zeros. A larger output_shape has zeros after them on each axis.
std::vector<Output> convert_max_unpool(NodeContext& by) {
    const Output x = by.input(0), places = by.input(1), output_shape = by.optional_input(2);
    NodeContext::known_type(x, "X");
    const Output shape = unpooled_shape(by, x);
    const Output size = by.reduce(ReduceFunction::prod, shape, {0});
    std::vector<Output> inputs{by.broadcast(by.number(0, x), size), by.reshape(places, {-1}),
                               by.reshape(x, {-1}), by.integer(0)};
    const Output scattered =
        by.make<ops::ScatterElementsUpdate>(std::move(inputs), ops::ScatterReduction::none);
    const Output unpooled = by.reshape_to(scattered, shape);
    if (!output_shape) return {unpooled};
    const Output none = by.ints(Ints(x.shape().rank(), 0));
    return {by.pad(unpooled, none, by.subtract(output_shape, shape))};
}

namespace {

// The mean of `size` neighbours along axis 1; those outside of the tensor count as 0.
Output channel_means(NodeContext& by, const Output& x, std::int64_t size) {
    ops::PoolAttributes attributes;
    attributes.kernel = {size, 1};
    attributes.window.strides = {1, 1};
    attributes.window.dilations = {1, 1};
    attributes.window.pads_begin = {(size - 1) / 2, 0};
    attributes.window.pads_end = {size / 2, 0};
    // [N,C,...] as [N,1,C,all others].
    const std::vector<Output> extents{by.run_extent(x, 0), by.ints({1}), by.run_extent(x, 1),
                                      by.ints({-1})};
    const Output image = by.reshape_to(x, by.concat(extents, 0));
    return by.reshape_like(by.make<ops::AvgPool>(image, attributes, false), x);
}

}  // namespace

// Each element over a power of the mean square of its neighbours among the channels.
std::vector<Output> convert_lrn(NodeContext& by) {
    const Output x = by.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    NodeContext::rank_of(x, 2);
    const auto size = by.attributes().find_int("size");
    if (!size || *size < 1) throw ModelError("attribute 'size' is missing, or below 1");
    const Output wide = by.convert(x, arithmetic_type(type));
    const auto number = [&](const char* name, float otherwise) {
        return by.number(by.attribute(name, otherwise), wide);
    };
    const Output means = channel_means(by, by.multiply(wide, wide), *size);
    const Output base = by.add(by.multiply(means, number("alpha", 1e-4F)), number("bias", 1.0F));
    const Output divisor = by.apply(BinaryFunction::power, base, number("beta", 0.75F));
    return {by.convert(by.divide(wide, divisor), type)};
}

}  // namespace rondo::onnx
