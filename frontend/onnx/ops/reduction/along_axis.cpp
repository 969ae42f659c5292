// Converts the operators along one axis: CumSum, CumProd, Hardmax (1 at the first of the greatest
// elements, 0 elsewhere), Softmax, LogSoftmax, TopK, ArgMax and ArgMin.
#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/reduction/cum_sum.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/reduction/top_k.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

template <typename T>
std::vector<Output> cumulation(NodeContext& context) {
    ops::Cumulation::Options options;
    options.exclusive = context.attributes().flag("exclusive", false);
    options.reverse = context.attributes().flag("reverse", false);
    return {context.make<T>("", context.input(0), context.input(1), options)};
}

}  // namespace

std::vector<Output> convert_cum_prod(NodeContext& context) {
    return cumulation<ops::CumProd>(context);
}

std::vector<Output> convert_cum_sum(NodeContext& context) {
    return cumulation<ops::CumSum>(context);
}

namespace {

// 1, or 0 where the axis has no elements.
Output count_of_best(NodeContext& context, Composer& by, const Output& x, std::int64_t axis,
                     const Output& extent) {
    if (x.shape().has_rank()) {
        const auto& extents = x.shape().dimensions();
        const auto at = static_cast<std::int64_t>(extents.size()) + axis;
        const bool has_one = extents[static_cast<std::size_t>(at)].min() > 0;
        if (has_one) return by.integer(1);
    }
    const Output one = by.ints({1});
    return by.scalar(make_binary(context, by.role(), ops::BinaryFunction::minimum, extent, one));
}

// `axis`: negative, counted from the end, so that no rank is needed.
Output marked(NodeContext& context, Composer& by, const Output& x, std::int64_t axis) {
    ops::TopKAttributes attributes;
    attributes.axis = axis;
    attributes.index_type = ElementType::i64;
    const Output shape = make_shape_of(context, by.role(), x);
    const Output extent = make_element(context, by.role(), shape, axis);
    const Output count = count_of_best(context, by, x, axis, extent);
    const Output place = context.make<ops::TopK>(by.role(), x, count, attributes)->output(1);
    const Output places = by.range(by.scalar(extent));
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
    Composer by(context, NodeContext::known_type(x, "input"));
    const auto axes = axes_from(x, context.attributes().find_int("axis").value_or(-1));
    if (is_empty(x)) return {x};
    return {marked(context, by, x, axes.front())};
}

// Before opset 13 all axes from `axis` on are one.
std::vector<Output> convert_hardmax_1(NodeContext& context) {
    const Output x = context.input(0);
    Composer by(context, NodeContext::known_type(x, "input"));
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
    const Output wide = first == rank ? by.unsqueeze(x, {-1}) : x;
    std::vector<std::int64_t> pattern(static_cast<std::size_t>(first), 0);
    const auto count = known_elements(wide.shape(), pattern.size(), wide.shape().rank());
    pattern.push_back(count.value_or(0) == 0 ? -1 : *count);
    const Output flat = marked(context, by, make_reshape(context, "flat", wide, pattern), -1);
    return {context.make<ops::Reshape>("", flat, make_shape_of(context, "shape", x))};
}

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

namespace {

constexpr std::int64_t kCountInputSince = 10;
constexpr std::int64_t kOrdersSince = 11;

Output count_of(NodeContext& context) {
    // The IR wants a scalar.
    if (context.opset() >= kCountInputSince)
        return make_reshape(context, "k", context.input(1), {});
    const auto k = context.attributes().find_int("k");
    if (!k) throw ModelError("attribute 'k' is missing");
    return make_int_scalar(context, "k", *k);
}

Output place_of_best(NodeContext& context, const std::string& role, const Output& x,
                     const ops::TopKAttributes& attributes) {
    return context.make<ops::TopK>(role, x, make_int_scalar(context, role + "/k", 1), attributes)
        ->output(1);
}

// The last of equal elements is the first of the data turned round.
Output last_place_of_best(NodeContext& context, const Output& x,
                          const ops::TopKAttributes& attributes) {
    constexpr std::int64_t kFar = (std::int64_t{1} << 62);
    const auto one = [&](const char* role, std::int64_t value) {
        return make_ints(context, role, {value});
    };
    const Output turned =
        context.make<ops::Slice>("turned", x, one("turned/start", kFar), one("turned/stop", -kFar),
                                 one("turned/step", -1), one("turned/axis", attributes.axis));
    const Output extent =
        make_element(context, "extent", make_shape_of(context, "shape", x), attributes.axis);
    const Output last = make_binary(context, "last", ops::BinaryFunction::subtract, extent,
                                    make_ints(context, "one", {1}));
    return make_binary(context, "place", ops::BinaryFunction::subtract, last,
                       place_of_best(context, "turned_place", turned, attributes));
}

}  // namespace

std::vector<Output> convert_top_k(NodeContext& context) {
    const Output x = context.input(0);
    ops::TopKAttributes attributes;
    attributes.index_type = ElementType::i64;
    attributes.axis = context.attributes().find_int("axis").value_or(-1);
    if (context.opset() >= kOrdersSince) {
        const bool is_largest = context.attributes().flag("largest", true);
        attributes.mode = is_largest ? ops::TopKMode::max : ops::TopKMode::min;
        context.attributes().flag("sorted", true);  // an order that may be any is that one too
    }
    return outputs_of(context.make<ops::TopK>("", x, count_of(context), attributes));
}

std::vector<Output> convert_arg(NodeContext& context, ops::TopKMode mode) {
    const Output x = context.input(0);
    ops::TopKAttributes attributes;
    attributes.index_type = ElementType::i64;
    attributes.mode = mode;
    attributes.axis = context.attributes().find_int("axis").value_or(0);
    const bool keep_dims = context.attributes().flag("keepdims", true);
    const bool is_last = context.attributes().flag("select_last_index", false);
    const Output place = is_last ? last_place_of_best(context, x, attributes)
                                 : place_of_best(context, keep_dims ? "" : "best", x, attributes);
    if (keep_dims) return {place};
    return {context.make<ops::Squeeze>("", place, make_ints(context, "axes", {attributes.axis}))};
}

}  // namespace rondo::onnx
