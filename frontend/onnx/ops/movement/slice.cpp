// Converts Slice.
#include "core/ops/movement/slice.hpp"

#include "core/ops/source/constant.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

std::vector<std::int64_t> required_ints(NodeContext& context, const char* name) {
    auto values = context.attributes().find_ints(name);
    if (!values) throw ModelError("attribute '" + std::string(name) + "' is missing");
    return std::move(*values);
}

// A step of 1 for each slice, as many as there are starts.
Output ones_like(NodeContext& context, const Output& starts) {
    const PartialShape& shape = starts.shape();
    if (shape.has_rank() && shape.rank() == 1 && shape[0].max() <= std::int64_t{kMaxAxes} &&
        shape.is_static()) {
        const auto count = static_cast<std::size_t>(shape[0].length());
        return make_ints(context, "steps", std::vector<std::int64_t>(count, 1));
    }
    return make_broadcast(context, "steps", make_int_scalar(context, "one", 1),
                          make_shape_of(context, "slices", starts));
}

}  // namespace

std::vector<Output> convert_slice_1(NodeContext& context) {
    const auto starts = required_ints(context, "starts");
    const auto ends = required_ints(context, "ends");
    const auto axes = context.attributes().find_ints("axes");
    const Output data = context.input(0);
    const Output start = make_ints(context, "starts", starts);
    const Output end = make_ints(context, "ends", ends);
    const Output steps = ones_like(context, start);
    if (!axes) return {context.make<ops::Slice>("", data, start, end, steps)};
    return {
        context.make<ops::Slice>("", data, start, end, steps, make_ints(context, "axes", *axes))};
}

std::vector<Output> convert_slice_10(NodeContext& context) {
    const Output data = context.input(0);
    const Output starts = context.input(1);
    const Output ends = context.input(2);
    const Output axes = context.optional_input(3);
    const Output steps = context.has_input(4) ? context.input(4) : ones_like(context, starts);
    if (!axes) return {context.make<ops::Slice>("", data, starts, ends, steps)};
    return {context.make<ops::Slice>("", data, starts, ends, steps, axes)};
}

}  // namespace rondo::onnx
