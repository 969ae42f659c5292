// Converts the operators along one axis: CumSum, CumProd, Hardmax (1 at the first of the greatest
// elements, 0 elsewhere), Softmax, LogSoftmax, TopK, ArgMax and ArgMin.
#include <algorithm>
#include <string>

#include "core/ops/reduction/reduction_ops.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

template <typename T>
std::vector<Output> cumulation(NodeContext& by) {
    ops::Cumulation::Options options;
    options.exclusive = by.attribute("exclusive", false);
    options.reverse = by.attribute("reverse", false);
    return {by.make<T>(by.input(0), by.input(1), options)};
}

ops::TopKAttributes top_k_attributes(std::int64_t axis, ops::TopKMode mode = ops::TopKMode::max) {
    ops::TopKAttributes attributes;
    attributes.axis = axis;
    attributes.mode = mode;
    attributes.index_type = ElementType::i64;
    return attributes;
}

// If the best `count` elements are; one unless given.
Output places_of_best(NodeContext& by, const Output& x, const ops::TopKAttributes& attributes,
                      const Output& count = {}) {
    return by.make_all<ops::TopK>(x, count ? count : by.integer(1), attributes)[1];
}

}  // namespace

std::vector<Output> convert_cumulation(NodeContext& by, bool is_product) {
    return is_product ? cumulation<ops::CumProd>(by) : cumulation<ops::CumSum>(by);
}

namespace {

// `axis`: negative, counted from the end, so that no rank is needed.
Output marked(NodeContext& by, const Output& x, std::int64_t axis) {
    const PartialShape& shape = x.shape();
    const Output extent = by.run_extent(x, axis);
    const auto at = static_cast<std::int64_t>(shape.has_rank() ? shape.rank() : 0) + axis;
    const bool has_one = shape.has_rank() && shape[static_cast<std::size_t>(at)].min() > 0;
    // None if the axis has no elements.
    const Output count = has_one ? Output() : by.scalar(by.minimum(extent, by.ints({1})));
    const Output place = places_of_best(by, x, top_k_attributes(axis), count);
    const Output along = by.reshape(by.range(by.scalar(extent)),
                                    along_axis_pattern(static_cast<std::size_t>(-axis)));
    return by.convert(by.equal(place, along), x.element_type());
}

// Nothing has a greatest element, and nothing to mark.
bool has_no_elements(const Output& x) {
    return x.shape().has_rank() &&
           std::ranges::any_of(x.shape().dimensions(),
                               [](const Dimension& extent) { return extent.max() == 0; });
}

}  // namespace

std::vector<Output> convert_hardmax_13(NodeContext& by) {
    const Output x = by.input(0);
    NodeContext::known_type(x, "input");
    const Ints axes = axes_from(x, by.attribute("axis", -1));
    return {has_no_elements(x) ? x : marked(by, x, axes.front())};
}

// Before opset 13 all axes from `axis` on are one.
std::vector<Output> convert_hardmax_1(NodeContext& by) {
    const Output x = by.input(0);
    NodeContext::known_type(x, "input");
    const std::int64_t axis = by.attribute("axis", 1);
    const auto rank = static_cast<std::int64_t>(NodeContext::rank_of(x, 0, "the input"));
    if (axis < -rank || axis > rank) {
        throw ModelError("axis " + std::to_string(axis) + " is out of range for rank " +
                         std::to_string(rank));
    }
    if (has_no_elements(x)) return {x};
    const std::int64_t first = axis < 0 ? axis + rank : axis;
    // An axis of 1 elements at the end takes the place of none.
    const Output wide = first == rank ? by.unsqueeze(x, {-1}) : x;
    const Output flat = by.reshape(wide, flat_pattern(wide.shape(), first));
    return {by.reshape_like(marked(by, flat, -1), x)};
}

namespace {

std::int64_t softmax_axis(NodeContext& by, const PartialShape& shape) {
    const std::int64_t axis = by.attribute("axis", 1);
    if (shape.has_rank()) return static_cast<std::int64_t>(by.normal_axis(axis, shape));
    if (axis >= 0 && axis < static_cast<std::int64_t>(kMaxAxes)) return axis;
    throw UnsupportedError("axis is " + std::to_string(axis) +
                           ", but the input's rank isn't known");
}

// Before opset 13 all axes from `axis` on are one: flattened to it, normalised, put back.
template <typename T>
std::vector<Output> softmax_1(NodeContext& by) {
    const Output x = by.input(0);
    const PartialShape& shape = x.shape();
    const std::int64_t axis = softmax_axis(by, shape);
    if (shape.has_rank() && axis + 1 == static_cast<std::int64_t>(shape.rank())) {
        return {by.make<T>(x, axis)};
    }
    return {by.reshape_like(by.make<T>(by.reshape(x, flat_pattern(shape, axis)), axis), x)};
}

template <typename T>
std::vector<Output> softmax_13(NodeContext& by) {
    return {by.make<T>(by.input(0), by.attribute("axis", -1))};
}

}  // namespace

std::vector<Output> convert_softmax_1(NodeContext& by, bool is_log) {
    return is_log ? softmax_1<ops::LogSoftmax>(by) : softmax_1<ops::Softmax>(by);
}

std::vector<Output> convert_softmax_13(NodeContext& by, bool is_log) {
    return is_log ? softmax_13<ops::LogSoftmax>(by) : softmax_13<ops::Softmax>(by);
}

std::vector<Output> convert_top_k(NodeContext& by) {
    constexpr std::int64_t kCountInputSince = 10;
    constexpr std::int64_t kOrdersSince = 11;
    const Output x = by.input(0);
    ops::TopKAttributes attributes = top_k_attributes(by.attribute("axis", -1));
    if (by.opset() >= kOrdersSince) {
        if (!by.attribute("largest", true)) attributes.mode = ops::TopKMode::min;
        by.attribute("sorted", true);  // an order that may be any is that one too
    }
    // The IR wants a scalar.
    const bool is_input = by.opset() >= kCountInputSince;
    const Output count =
        is_input ? by.reshape(by.input(1), Ints{}) : by.integer(by.required_int("k"));
    return by.make_all<ops::TopK>(x, count, attributes);
}

std::vector<Output> convert_arg(NodeContext& by, ops::TopKMode mode) {
    constexpr std::int64_t kFar = std::int64_t{1} << 62;
    const Output x = by.input(0);
    const auto attributes = top_k_attributes(by.attribute("axis", 0), mode);
    const bool keep_dims = by.attribute("keepdims", true);
    Output place;
    if (by.attribute("select_last_index", false)) {
        // The last of equal elements is the first of the reversed data.
        const Output reversed = by.slice(x, attributes.axis, kFar, -kFar, -1);
        const Output last = by.subtract(by.run_extent(x, attributes.axis), by.ints({1}));
        place = by.subtract(last, places_of_best(by, reversed, attributes));
    } else {
        place = places_of_best(by, x, attributes);
    }
    return {keep_dims ? place : by.squeeze(place, {attributes.axis})};
}

}  // namespace rondo::onnx
