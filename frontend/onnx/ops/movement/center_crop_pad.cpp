// Converts CenterCropPad.
#include <numeric>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/pad.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;
using Ints = std::vector<std::int64_t>;

// What the shape adds to each axis of the data, 0 where it doesn't name the axis.
Output make_growth(NodeContext& context, const Output& data, const Output& shape,
                   const std::vector<std::size_t>& axes) {
    const Output extents = make_shape_of(context, "extents", data);
    Ints named(axes.begin(), axes.end());
    const Output own =
        context.make<ops::Gather>("own_extents", extents, make_ints(context, "axes", named),
                                  make_int_scalar(context, "own_extents/axis", 0));
    const Output growth = make_binary(context, "growth", BinaryFunction::subtract, shape, own);
    const std::size_t rank = data.shape().rank();
    Ints places(rank, static_cast<std::int64_t>(axes.size()));  // the 0 behind them
    for (std::size_t i = 0; i < axes.size(); ++i) places[axes[i]] = static_cast<std::int64_t>(i);
    const Output padded =
        make_concat(context, "growth_and_none", {growth, make_ints(context, "none", {0})}, 0);
    return context.make<ops::Gather>("all_growth", padded, make_ints(context, "places", places),
                                     make_int_scalar(context, "all_growth/axis", 0));
}

}  // namespace

// Half of what is added or taken away, rounded towards zero, is at the beginning.
std::vector<Output> convert_center_crop_pad(NodeContext& context) {
    const Output data = context.input(0);
    const Output shape = make_converted(context, "shape", context.input(1), ElementType::i64);
    const auto named = context.attributes().find_ints("axes");
    Output growth;
    if (named) {
        const std::size_t rank = rank_of_x(data, 0);
        const auto axes =
            ops::distinct_axes(InferContext(context.name(), "CenterCropPad", {}), *named, rank);
        NodeContext::check_shape(shape, {static_cast<std::int64_t>(axes.size())}, "shape");
        growth = make_growth(context, data, shape, axes);
    } else {
        growth = make_binary(context, "growth", BinaryFunction::subtract, shape,
                             make_shape_of(context, "extents", data));
    }
    auto half = std::make_shared<ops::Binary>(BinaryFunction::divide, growth,
                                              make_ints(context, "two", {2}));
    half->set_python_division(false);
    const Output begin = context.finish(half, "begin");
    const Output end = make_binary(context, "end", BinaryFunction::subtract, growth, begin);
    return {
        context.make<ops::Pad>("", std::vector<Output>{data, begin, end}, ops::PadMode::constant)};
}

}  // namespace rondo::onnx
