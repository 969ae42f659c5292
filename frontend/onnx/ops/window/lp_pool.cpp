// Converts LpPool and GlobalLpPool: roots of sums of powers.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/slice.hpp"
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

// Before opset 2 a floating number.
double exponent_of(NodeContext& context) {
    if (context.opset() < 2) return context.attributes().find_float("p").value_or(2.0F);
    const std::int64_t p = context.attributes().find_int("p").value_or(2);
    if (p >= 1) return static_cast<double>(p);
    throw ModelError("attribute 'p' is " + std::to_string(p) + "; expected 1 or more");
}

Output power(NodeContext& context, const std::string& role, const Output& x, double exponent) {
    return make_binary(context, role, BinaryFunction::power, x,
                       make_filled(context, role + "/exponent", x.element_type(), {}, exponent));
}

// |x|^p, and what undoes it.
Output powered(NodeContext& context, const Output& x, double p) {
    if (p == 2) return make_binary(context, "square", BinaryFunction::multiply, x, x);
    const Output abs = context.make<ops::Unary>("abs", ops::UnaryFunction::abs, x);
    return p == 1 ? abs : power(context, "power", abs, p);
}

Output rooted(NodeContext& context, const std::string& role, const Output& sum, double p) {
    if (p == 2) return context.make<ops::Unary>(role, ops::UnaryFunction::sqrt, sum);
    return p == 1 ? sum : power(context, role, sum, 1 / p);
}

bool has_known_spatial(const PartialShape& shape) {
    return shape.has_rank() &&
           std::all_of(shape.dimensions().begin() + 2, shape.dimensions().end(),
                       [](const Dimension& extent) { return extent.is_static(); });
}

// The mean over all of a window, pads too, times its elements is the sum. Where the last windows
// aren't whole, pads make them so. Returns a shape that the result must be cut to, or nothing: with
// open extents there may be a window too many, which starts behind the data.
Output make_whole(NodeContext& context, ops::PoolAttributes& attributes, const Output& x) {
    if (attributes.rounding == ops::PoolRounding::floor) return {};
    auto& window = attributes.window;
    const ops::PoolAttributes wanted = attributes;
    attributes.rounding = ops::PoolRounding::floor;
    if (ops::is_same(window.auto_pad)) return {};
    window.auto_pad = ops::AutoPad::explicit_pads;  // those of VALID are 0
    const Output whole = context.make<ops::MaxPool>("whole", x, wanted);
    if (!has_known_spatial(x.shape())) {
        for (std::size_t i = 0; i < attributes.kernel.size(); ++i) {
            window.pads_end[i] += window.strides[i] - 1;
        }
        return make_shape_of(context, "windows", whole);
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

// The first elements of each axis.
Output make_cut(NodeContext& context, const Output& data, const Output& shape, std::size_t rank) {
    return context.make<ops::Slice>(
        "cut", data, make_ints(context, "cut/start", std::vector<std::int64_t>(rank, 0)), shape,
        make_ints(context, "cut/step", std::vector<std::int64_t>(rank, 1)));
}

}  // namespace

std::vector<Output> convert_lp_pool(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    auto attributes = pool_attributes(context, x);
    const double p = exponent_of(context);
    const Output shape = make_whole(context, attributes, x);
    const std::size_t rank = attributes.kernel.size() + 2;
    double volume = 1;
    for (const std::int64_t extent : attributes.kernel) volume *= static_cast<double>(extent);
    const ElementType arithmetic = arithmetic_type(type);
    const Output wide = make_converted(context, "wide", x, arithmetic);
    Output mean =
        context.make<ops::AvgPool>("mean", powered(context, wide, p), std::move(attributes), false);
    if (shape) mean = make_cut(context, mean, shape, rank);
    const Output sum = make_binary(context, "sum", BinaryFunction::multiply, mean,
                                   make_filled(context, "volume", arithmetic, {}, volume));
    return {make_converted(context, "", rooted(context, "root", sum, p), type)};
}

std::vector<Output> convert_global_lp_pool(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    const double p = exponent_of(context);
    std::vector<std::int64_t> axes(rank_of_x(x, 3) - 2);
    std::iota(axes.begin(), axes.end(), 2);
    const Output wide = make_converted(context, "wide", x, arithmetic_type(type));
    const Output sum =
        context.make<ops::Reduce>("sum", ops::ReduceFunction::sum, powered(context, wide, p),
                                  make_ints(context, "axes", axes), true);
    return {make_converted(context, "", rooted(context, "root", sum, p), type)};
}

}  // namespace rondo::onnx
