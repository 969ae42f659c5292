// Converts Shape and Size, the product of the extents.
#include <limits>

#include "core/ops/movement/slice.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/shape_of.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/source/converters.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kRangeSince = 15;
constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::vector<Output> convert_shape(NodeContext& context) {
    const bool ranged = context.opset() >= kRangeSince;
    Attributes& attributes = context.attributes();
    const std::int64_t start = ranged ? attributes.find_int("start").value_or(0) : 0;
    const std::int64_t end = ranged ? attributes.find_int("end").value_or(kToTheEnd) : kToTheEnd;
    const Output data = context.input(0);
    if (start == 0 && end == kToTheEnd) return {make_shape_of(context, "", data)};
    return {context.make<ops::Slice>(
        "", make_shape_of(context, "whole", data), make_ints(context, "start", {start}),
        make_ints(context, "end", {end}), make_ints(context, "step", {1}))};
}

std::vector<Output> convert_size(NodeContext& context) {
    const Output shape = make_shape_of(context, "shape", context.input(0));
    return {context.make<ops::Reduce>("", ops::ReduceFunction::prod, shape,
                                      make_ints(context, "axes", {0}), false)};
}

}  // namespace rondo::onnx
