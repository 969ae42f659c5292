// Converts the operators that show the same elements under another shape: BitCast, Expand, Flatten,
// Reshape, Squeeze, Unsqueeze and Transpose.
#include <algorithm>
#include <optional>
#include <string>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

// A boolean's byte is 0 or 1, and every other byte than 0 is true: what Convert of bytes says.
std::vector<Output> convert_bit_cast(NodeContext& context) {
    const Output data = context.input(0);
    const ElementType from = NodeContext::known_type(data, "input");
    const auto to = find_element_type(context.attributes(), "to");
    if (!to) throw ModelError("attribute 'to' is missing");
    const bool has_flags = from == ElementType::boolean || *to == ElementType::boolean;
    if (has_flags && size_of(from) == size_of(*to)) {
        return {context.make<ops::Convert>("", data, *to)};
    }
    if (from == *to) return {data};
    return {context.make<ops::BitCast>("", data, *to)};
}

// The shape's extents may be 1 where the data's aren't.
std::vector<Output> convert_expand(NodeContext& context) {
    return {context.make<ops::Broadcast>("", context.input(0), context.input(1),
                                         ops::BroadcastMode::bidirectional)};
}

namespace {

// The number of elements where it says what -1 on the other side is, which 0 doesn't.
std::optional<std::int64_t> divisor(const PartialShape& shape, std::size_t from, std::size_t to) {
    const auto count = known_elements(shape, from, to);
    return count == 0 ? std::nullopt : count;
}

// Axes from 0 to rank, both included.
std::size_t axis_of(NodeContext& context, std::size_t rank) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(1);
    const auto limit = static_cast<std::int64_t>(rank);
    if (axis < -limit || axis > limit) {
        throw ModelError("axis " + std::to_string(axis) + " is out of range for rank " +
                         std::to_string(rank));
    }
    return static_cast<std::size_t>(axis < 0 ? axis + limit : axis);
}

// The product of the first `count` elements of `shape`, at least one, as i64 [1].
Output make_product(NodeContext& context, const Output& shape, std::size_t count) {
    Output product = make_element(context, "front_0", shape, 0);
    for (std::size_t i = 1; i < count; ++i) {
        const std::string number = std::to_string(i);
        const Output extent =
            make_element(context, "front_" + number, shape, static_cast<std::int64_t>(i));
        product = context.make<ops::Binary>("product_" + number, ops::BinaryFunction::multiply,
                                            product, extent);
    }
    return product;
}

// Both sides open or empty; axis is 1 or more. The back axes become one first, which -1 can do even
// for an empty tensor, since copied extents cancel out. It can't do so for the front axes: their
// extent is written out.
Output flatten_open(NodeContext& context, const Output& data, std::size_t axis) {
    std::vector<std::int64_t> pattern(axis, 0);
    pattern.push_back(-1);
    if (axis == 1) return make_reshape(context, "", data, pattern);
    const Output back = make_reshape(context, "back", data, pattern);
    const Output shape = make_shape_of(context, "shape", back);
    const Output extent = make_element(context, "extent", shape, static_cast<std::int64_t>(axis));
    const Output both =
        make_concat(context, "pattern", {make_product(context, shape, axis), extent}, 0);
    return context.make<ops::Reshape>("", back, both);
}

}  // namespace

std::vector<Output> convert_flatten(NodeContext& context) {
    const Output data = context.input(0);
    const PartialShape& shape = data.shape();
    if (!shape.has_rank()) throw UnsupportedError("the input's rank isn't known");
    const std::size_t axis = axis_of(context, shape.rank());
    if (shape.is_static()) {
        const Output pattern = make_ints(
            context, "pattern",
            {*known_elements(shape, 0, axis), *known_elements(shape, axis, shape.rank())});
        return {context.make<ops::Reshape>("", data, pattern)};
    }
    if (const auto back = divisor(shape, axis, shape.rank())) {
        return {make_reshape(context, "", data, {-1, *back})};
    }
    if (const auto front = divisor(shape, 0, axis)) {
        return {make_reshape(context, "", data, {*front, -1})};
    }
    return {flatten_open(context, data, axis)};
}

namespace {

constexpr std::int64_t kAllowZeroSince = 14;

// With an extent of 0, -1 isn't determined.
void check_pattern(const Output& shape) {
    const auto pattern = NodeContext::known_ints(shape);
    if (!pattern) return;
    const bool zero = std::find(pattern->begin(), pattern->end(), 0) != pattern->end();
    const bool rest = std::find(pattern->begin(), pattern->end(), -1) != pattern->end();
    if (zero && rest) throw ModelError("shape holds both 0 and -1, but allowzero is 1");
}

}  // namespace

std::vector<Output> convert_reshape_1(NodeContext& context) {
    skip_consumed_inputs(context);
    const auto shape = context.attributes().find_ints("shape");
    if (!shape) throw ModelError("attribute 'shape' is missing");
    return {context.make<ops::Reshape>("", context.input(0), make_ints(context, "shape", *shape),
                                       true)};
}

std::vector<Output> convert_reshape_5(NodeContext& context) {
    const bool allow_zero =
        context.opset() >= kAllowZeroSince && context.attributes().flag("allowzero", false);
    const Output shape = context.input(1);
    if (allow_zero) check_pattern(shape);
    return {context.make<ops::Reshape>("", context.input(0), shape, !allow_zero)};
}

namespace {

// Before opset 13 the axes are an attribute.
Output axes_attribute(NodeContext& context) {
    const auto axes = context.attributes().find_ints("axes");
    return axes ? make_ints(context, "axes", *axes) : Output();
}

// Axes that are given but empty: ONNX's reference removes nothing, onnxruntime every 1.
void refuse_empty(const Output& axes) {
    if (axes.shape() != PartialShape(Shape{0})) return;
    throw UnsupportedError(
        "axes are given but empty, which runtimes read in different ways; "
        "expected axes, or none given");
}

std::vector<Output> squeeze(NodeContext& context, const Output& axes) {
    const Output data = context.input(0);
    if (!axes) return {context.make<ops::Squeeze>("", data)};
    refuse_empty(axes);
    return {context.make<ops::Squeeze>("", data, axes)};
}

}  // namespace

std::vector<Output> convert_squeeze_1(NodeContext& context) {
    return squeeze(context, axes_attribute(context));
}

std::vector<Output> convert_squeeze_13(NodeContext& context) {
    return squeeze(context, context.optional_input(1));
}

std::vector<Output> convert_unsqueeze_1(NodeContext& context) {
    const Output axes = axes_attribute(context);
    if (!axes) throw ModelError("attribute 'axes' is missing");
    return {context.make<ops::Unsqueeze>("", context.input(0), axes)};
}

std::vector<Output> convert_unsqueeze_13(NodeContext& context) {
    return {context.make<ops::Unsqueeze>("", context.input(0), context.input(1))};
}

// Without perm the axes are reversed; in the IR an empty order means that.
std::vector<Output> convert_transpose(NodeContext& context) {
    const auto perm = context.attributes().find_ints("perm").value_or(std::vector<std::int64_t>());
    return {context.make<ops::Transpose>("", context.input(0), make_ints(context, "perm", perm))};
}

}  // namespace rondo::onnx
