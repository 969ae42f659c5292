// Converts MaxUnpool: the elements are scattered over zeros.
#include <string>

#include "core/ops/indexing/scatters.hpp"
#include "core/ops/movement/pad.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "frontend/onnx/ops/window/window_attributes.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;
using Ints = std::vector<std::int64_t>;

// The shape of the data that the pool had: (extent - 1) * stride + kernel - pads for each spatial
// axis, at least 0.
Output make_unpooled_shape(NodeContext& context, const Output& x) {
    const auto kernel = context.attributes().find_ints("kernel_shape");
    if (!kernel) throw ModelError("attribute 'kernel_shape' is missing");
    const std::size_t axes = kernel->size();
    const std::size_t rank = rank_of_x(x, 3);
    if (rank != axes + 2) {
        throw ModelError("kernel_shape has " + std::to_string(axes) + " entries, but X has shape " +
                         to_string(x.shape()) + "; expected one a spatial axis");
    }
    const Ints strides = entries_of(context, "strides", axes, 1);
    const Ints pads = entries_of(context, "pads", 2 * axes, 0);
    Ints factors{1, 1}, rest{1, 1};
    bool may_be_negative = false;
    for (std::size_t i = 0; i < axes; ++i) {
        factors.push_back(strides[i]);
        rest.push_back((*kernel)[i] - pads[i] - pads[axes + i]);
        may_be_negative = may_be_negative || rest.back() < strides[i];
    }
    const Output steps =
        make_binary(context, "steps", BinaryFunction::subtract,
                    make_shape_of(context, "x_shape", x), make_ints(context, "one", {1}));
    const Output shape = make_binary(context, "unpooled_shape", BinaryFunction::add,
                                     make_binary(context, "span", BinaryFunction::multiply, steps,
                                                 make_ints(context, "strides", factors)),
                                     make_ints(context, "rest", rest));
    if (!may_be_negative) return shape;
    return make_binary(context, "unpooled_shape/least_0", BinaryFunction::maximum, shape,
                       make_ints(context, "none", {0}));
}

}  // namespace

// A larger output_shape has zeros behind them on each axis.
std::vector<Output> convert_max_unpool(NodeContext& context) {
    const Output x = context.input(0);
    const Output places = context.input(1);
    const Output output_shape = context.optional_input(2);
    const ElementType type = NodeContext::known_type(x, "X");
    const Output shape = make_unpooled_shape(context, x);
    const Output size = context.make<ops::Reduce>("size", ops::ReduceFunction::prod, shape,
                                                  make_ints(context, "size/axes", {0}), true);
    const Output zeros =
        make_broadcast(context, "zeros", make_filled(context, "zero", type, {}, 0), size);
    std::vector<Output> inputs{zeros, make_reshape(context, "flat_places", places, {-1}),
                               make_reshape(context, "flat", x, {-1}),
                               make_int_scalar(context, "axis", 0)};
    const Output scattered = context.make<ops::ScatterElementsUpdate>(
        "scattered", std::move(inputs), ops::ScatterReduction::none);
    const Output unpooled =
        context.make<ops::Reshape>(output_shape ? "unpooled" : "", scattered, shape, false);
    if (!output_shape) return {unpooled};
    const Ints none(x.shape().rank(), 0);
    const Output more = make_binary(context, "more", BinaryFunction::subtract, output_shape, shape);
    return {context.make<ops::Pad>(
        "", std::vector<Output>{unpooled, make_ints(context, "none", none), more},
        ops::PadMode::constant)};
}

}  // namespace rondo::onnx
