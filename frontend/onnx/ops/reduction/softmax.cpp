// Converts Softmax and LogSoftmax.
#include "core/ops/reduction/softmax.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/reduction/log_softmax.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

std::int64_t axis_of(NodeContext& context, const PartialShape& shape, std::string_view type) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(1);
    if (!shape.has_rank()) {
        if (axis >= 0 && axis < static_cast<std::int64_t>(kMaxAxes)) return axis;
        throw UnsupportedError("axis is " + std::to_string(axis) +
                               ", but the input's rank isn't known");
    }
    const InferContext place(context.name(), type, {});
    return static_cast<std::int64_t>(normalize_axis(place, axis, shape.rank()));
}

// The axes before `axis` copied, the others as one. A count of 0 must not be written: it would copy
// an extent. -1 is always right, since all other extents cancel out.
std::vector<std::int64_t> flat_pattern(const PartialShape& shape, std::int64_t axis) {
    const auto front = static_cast<std::size_t>(axis);
    std::vector<std::int64_t> pattern(front, 0);
    const auto count = shape.has_rank() ? known_elements(shape, front, shape.rank()) : std::nullopt;
    pattern.push_back(count.value_or(0) == 0 ? -1 : *count);
    return pattern;
}

// Before opset 13 all axes from `axis` on are one: flattened to it, normalised, put back.
template <typename T>
std::vector<Output> softmax_1(NodeContext& context) {
    const Output x = context.input(0);
    const PartialShape& shape = x.shape();
    const std::int64_t axis = axis_of(context, shape, T::kType.name);
    if (shape.has_rank() && axis + 1 == static_cast<std::int64_t>(shape.rank())) {
        return {context.make<T>("", x, axis)};
    }
    const Output flat = make_reshape(context, "flat", x, flat_pattern(shape, axis));
    const Output normalised = context.make<T>("normalised", flat, axis);
    return {context.make<ops::Reshape>("", normalised, make_shape_of(context, "shape", x))};
}

template <typename T>
std::vector<Output> softmax_13(NodeContext& context) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(-1);
    return {context.make<T>("", context.input(0), axis)};
}

}  // namespace

std::vector<Output> convert_log_softmax_1(NodeContext& context) {
    return softmax_1<ops::LogSoftmax>(context);
}

std::vector<Output> convert_log_softmax_13(NodeContext& context) {
    return softmax_13<ops::LogSoftmax>(context);
}

std::vector<Output> convert_softmax_1(NodeContext& context) {
    return softmax_1<ops::Softmax>(context);
}

std::vector<Output> convert_softmax_13(NodeContext& context) {
    return softmax_13<ops::Softmax>(context);
}

}  // namespace rondo::onnx
