// Converts the operators that show the same elements under another shape: BitCast, Expand, Flatten,
// Reshape, Squeeze, Unsqueeze and Transpose.
#include <algorithm>
#include <optional>
#include <string>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

// A boolean's byte is 0 or 1, and every other byte than 0 is true: what Convert of bytes says.
std::vector<Output> convert_bit_cast(NodeContext& by) {
    const Output data = by.input(0);
    const ElementType from = NodeContext::known_type(data, "input");
    const auto to = find_element_type(by.attributes(), "to");
    if (!to) throw ModelError("attribute 'to' is missing");
    const bool has_flags = from == ElementType::boolean || *to == ElementType::boolean;
    if (has_flags && size_of(from) == size_of(*to)) return {by.make<ops::Convert>(data, *to)};
    if (from == *to) return {data};
    return {by.make<ops::BitCast>(data, *to)};
}

// The shape's extents may be 1 if the data's aren't.
std::vector<Output> convert_expand(NodeContext& by) {
    return {by.make<ops::Broadcast>(by.input(0), by.input(1), ops::BroadcastMode::bidirectional)};
}

namespace {

// The number of elements if it says what -1 on the other side is, which 0 doesn't.
std::optional<std::int64_t> divisor(const PartialShape& shape, std::size_t from, std::size_t to) {
    const auto count = known_elements(shape, from, to);
    return count == 0 ? std::nullopt : count;
}

// Axes from 0 to rank, both included.
std::size_t flattened_axis(NodeContext& by, std::size_t rank) {
    const std::int64_t axis = by.attribute("axis", 1);
    const auto limit = static_cast<std::int64_t>(rank);
    if (axis < -limit || axis > limit) {
        throw ModelError("axis " + std::to_string(axis) + " is out of range for rank " +
                         std::to_string(rank));
    }
    return static_cast<std::size_t>(axis < 0 ? axis + limit : axis);
}

// Both sides open or empty; axis is 1 or more. The back axes become one first, which -1 can do even
// for an empty tensor, since copied extents cancel out. It can't do so for the front axes: their
// extent is written out.
Output flatten_open(NodeContext& by, const Output& data, std::size_t axis) {
    Ints pattern(axis, 0);
    pattern.push_back(-1);
    const Output back = by.reshape(data, pattern);
    if (axis == 1) return back;
    Output front = by.run_extent(back, 0);
    for (const std::int64_t i : ints_from(1, axis)) {
        front = by.multiply(front, by.run_extent(back, i));
    }
    const Output rest = by.run_extent(back, static_cast<std::int64_t>(axis));
    return by.reshape_to(back, by.concat({front, rest}, 0));
}

}  // namespace

std::vector<Output> convert_flatten(NodeContext& by) {
    const Output data = by.input(0);
    const PartialShape& shape = data.shape();
    if (!shape.has_rank()) throw UnsupportedError("the input's rank isn't known");
    const std::size_t axis = flattened_axis(by, shape.rank());
    if (shape.is_static()) {
        return {by.reshape_to(data, Ints{*known_elements(shape, 0, axis),
                                         *known_elements(shape, axis, shape.rank())})};
    }
    if (const auto back = divisor(shape, axis, shape.rank())) {
        return {by.reshape(data, {-1, *back})};
    }
    if (const auto front = divisor(shape, 0, axis)) return {by.reshape(data, {*front, -1})};
    return {flatten_open(by, data, axis)};
}

namespace {

constexpr std::int64_t kAllowZeroSince = 14;

// With an extent of 0, -1 isn't determined.
void check_pattern(const Output& shape) {
    const auto pattern = NodeContext::known_ints(shape);
    if (!pattern) return;
    if (std::ranges::count(*pattern, 0) == 0 || std::ranges::count(*pattern, -1) == 0) return;
    throw ModelError("shape holds both 0 and -1, but allowzero is 1");
}

}  // namespace

std::vector<Output> convert_reshape_1(NodeContext& by) {
    skip_consumed_inputs(by);
    return {by.reshape(by.input(0), by.required_ints("shape"))};
}

std::vector<Output> convert_reshape_5(NodeContext& by) {
    const bool allow_zero = by.opset() >= kAllowZeroSince && by.attribute("allowzero", false);
    const Output shape = by.input(1);
    if (allow_zero) check_pattern(shape);
    return {allow_zero ? by.reshape_to(by.input(0), shape) : by.reshape(by.input(0), shape)};
}

namespace {

// Before opset 13 the axes are an attribute.
Output axes_attribute(NodeContext& by) {
    const auto axes = by.attributes().find_ints("axes");
    return axes ? by.ints(*axes) : Output();
}

std::vector<Output> squeezed(NodeContext& by, const Output& axes) {
    const Output data = by.input(0);
    if (!axes) return {by.make<ops::Squeeze>(data)};
    // Axes that are given but empty: ONNX's reference removes nothing, onnxruntime every 1.
    if (axes.shape() == PartialShape(Shape{0})) {
        throw UnsupportedError(
            "axes are given but empty, which runtimes read in different ways; "
            "expected axes, or none given");
    }
    return {by.make<ops::Squeeze>(data, axes)};
}

}  // namespace

std::vector<Output> convert_squeeze_1(NodeContext& by) { return squeezed(by, axes_attribute(by)); }

std::vector<Output> convert_squeeze_13(NodeContext& by) {
    return squeezed(by, by.optional_input(1));
}

std::vector<Output> convert_unsqueeze_1(NodeContext& by) {
    return {by.unsqueeze(by.input(0), by.required_ints("axes"))};
}

std::vector<Output> convert_unsqueeze_13(NodeContext& by) {
    return {by.make<ops::Unsqueeze>(by.input(0), by.input(1))};
}

// Without perm the axes are reversed; in the IR an empty order means that.
std::vector<Output> convert_transpose(NodeContext& by) {
    return {by.transpose(by.input(0), by.attribute("perm", Ints()))};
}

}  // namespace rondo::onnx
