// Converts Hardmax: 1 at the first of the greatest elements along an axis, 0 elsewhere.
#include <algorithm>

#include "core/ops/elementwise/compare.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/reduction/top_k.hpp"
#include "frontend/onnx/ops/common/arithmetic.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// 1, or 0 where the axis has no elements.
Output count_of_best(NodeContext& context, Arithmetic& by, const Output& x, std::int64_t axis,
                     const Output& extent) {
    if (x.shape().has_rank()) {
        const auto& extents = x.shape().dimensions();
        const auto at = static_cast<std::int64_t>(extents.size()) + axis;
        const bool has_one = extents[static_cast<std::size_t>(at)].min() > 0;
        if (has_one) return make_int_scalar(context, by.role(), 1);
    }
    const Output one = make_ints(context, by.role(), {1});
    return by.scalar(make_binary(context, by.role(), ops::BinaryFunction::minimum, extent, one));
}

// `axis`: negative, counted from the end, so that no rank is needed.
Output marked(NodeContext& context, Arithmetic& by, const Output& x, std::int64_t axis) {
    ops::TopKAttributes attributes;
    attributes.axis = axis;
    attributes.index_type = ElementType::i64;
    const Output shape = make_shape_of(context, by.role(), x);
    const Output extent = make_element(context, by.role(), shape, axis);
    const Output count = count_of_best(context, by, x, axis, extent);
    const Output place = context.make<ops::TopK>(by.role(), x, count, attributes)->output(1);
    const Output places = by.count_to(by.scalar(extent), ElementType::i64);
    std::vector<std::int64_t> pattern(static_cast<std::size_t>(-axis), 1);
    pattern.front() = -1;
    const Output along = make_reshape(context, by.role(), places, pattern);
    return by.wide(by.compare(ops::CompareFunction::equal, place, along));
}

// Nothing has a greatest element, and nothing to mark.
bool is_empty(const Output& x) {
    if (!x.shape().has_rank()) return false;
    const auto& extents = x.shape().dimensions();
    return std::any_of(extents.begin(), extents.end(),
                       [](const Dimension& extent) { return extent.max() == 0; });
}

}  // namespace

std::vector<Output> convert_hardmax_13(NodeContext& context) {
    const Output x = context.input(0);
    Arithmetic by(context, NodeContext::known_type(x, "input"));
    const auto axes = axes_from(x, context.attributes().find_int("axis").value_or(-1));
    if (is_empty(x)) return {x};
    return {marked(context, by, x, axes.front())};
}

// Before opset 13 all axes from `axis` on are one.
std::vector<Output> convert_hardmax_1(NodeContext& context) {
    const Output x = context.input(0);
    Arithmetic by(context, NodeContext::known_type(x, "input"));
    const std::int64_t axis = context.attributes().find_int("axis").value_or(1);
    if (!x.shape().has_rank()) throw UnsupportedError("the input's rank isn't known");
    const auto rank = static_cast<std::int64_t>(x.shape().rank());
    if (axis < -rank || axis > rank) {
        throw ModelError("axis " + std::to_string(axis) + " is out of range for rank " +
                         std::to_string(rank));
    }
    if (is_empty(x)) return {x};
    const std::int64_t first = axis < 0 ? axis + rank : axis;
    // An axis of 1 elements at the end takes the place of none.
    const Output wide = first == rank ? by.unsqueeze(x, -1) : x;
    std::vector<std::int64_t> pattern(static_cast<std::size_t>(first), 0);
    const auto count = known_elements(wide.shape(), pattern.size(), wide.shape().rank());
    pattern.push_back(count.value_or(0) == 0 ? -1 : *count);
    const Output flat = marked(context, by, make_reshape(context, "flat", wide, pattern), -1);
    return {context.make<ops::Reshape>("", flat, make_shape_of(context, "shape", x))};
}

}  // namespace rondo::onnx
