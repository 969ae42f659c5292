// Converts the operators that take or write elements and slices by their places, and those that
// find elements, slices or boxes.
#include "core/ops/compositions.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

std::vector<Output> convert_gather_elements(NodeContext& by) {
    return {by.make<ops::GatherElements>(by.input(0), by.input(1), by.attribute("axis", 0))};
}

std::vector<Output> convert_gather_nd(NodeContext& by) {
    constexpr std::int64_t kBatchSince = 12;
    const std::int64_t batch = by.opset() >= kBatchSince ? by.attribute("batch_dims", 0) : 0;
    return {by.make<ops::GatherND>(by.input(0), by.input(1), batch)};
}

namespace {

using ops::ScatterReduction;

struct ScatterName {
    const char* name;
    std::int64_t since;
    ScatterReduction reduction;
};

constexpr ScatterName kScatterNames[] = {
    {"none", 16, ScatterReduction::none}, {"add", 16, ScatterReduction::sum},
    {"mul", 16, ScatterReduction::prod},  {"max", 18, ScatterReduction::max},
    {"min", 18, ScatterReduction::min},
};
constexpr std::int64_t kReductionSince = 16;

ScatterReduction scatter_reduction_of(NodeContext& by) {
    if (by.opset() < kReductionSince) return ScatterReduction::none;
    const std::string name = by.attribute("reduction", "none");
    for (const ScatterName& known : kScatterNames) {
        if (known.name == name && known.since <= by.opset()) return known.reduction;
    }
    throw ModelError("attribute 'reduction' is '" + name +
                     "'; expected none, add, mul or, since opset 18, max or min");
}

}  // namespace

std::vector<Output> convert_scatter_elements(NodeContext& by) {
    const Output axis = by.integer(by.attribute("axis", 0));
    std::vector<Output> inputs{by.input(0), by.input(1), by.input(2), axis};
    return {by.make<ops::ScatterElementsUpdate>(std::move(inputs), scatter_reduction_of(by))};
}

std::vector<Output> convert_scatter_nd(NodeContext& by) {
    std::vector<Output> inputs{by.input(0), by.input(1), by.input(2)};
    return {by.make<ops::ScatterNDUpdate>(std::move(inputs), scatter_reduction_of(by))};
}

namespace {

// How many axes of the output are after the new one.
std::int64_t axes_behind(NodeContext& by, const PartialShape& indices) {
    const std::int64_t axis = by.attribute("axis", -1);
    if (!indices.has_rank()) {
        if (axis == -1) return 0;
        throw UnsupportedError("axis is " + std::to_string(axis) +
                               ", but the rank of indices isn't known; expected -1");
    }
    const auto rank = static_cast<std::int64_t>(indices.rank());
    if (axis < -rank - 1 || axis > rank) {
        throw ModelError("axis is " + std::to_string(axis) + ", but indices have shape " +
                         to_string(indices) + "; expected " + std::to_string(-rank - 1) + " to " +
                         std::to_string(rank));
    }
    return axis < 0 ? -1 - axis : rank - axis;
}

}  // namespace

// A new axis on which the place that an index names is "on". Since opset 11 indices below 0 count
// from the end.
std::vector<Output> convert_one_hot(NodeContext& by) {
    constexpr std::int64_t kFromEndSince = 11;
    const Output indices = by.input(0);
    ops::OneHot request;
    request.axes_behind = axes_behind(by, indices.shape());
    request.depth = by.int_scalar(by.input(1));  // or a vector of one element
    request.from_end = by.opset() >= kFromEndSince;
    const auto values = by.split(by.input(2), 0, 2);
    request.off = values[0];
    request.on = values[1];
    return {ops::one_hot(by, indices, request)};
}

// Without a least score all boxes are looked at.
std::vector<Output> convert_non_max_suppression(NodeContext& by) {
    const auto or_number = [&](std::size_t input, ElementType type, double value) {
        const Output given = by.optional_input(input);
        return given ? given : by.number(type, value);
    };
    const bool has_centers = by.attribute("center_point_box", false);
    std::vector<Output> inputs{by.input(0), by.input(1), or_number(2, ElementType::i64, 0),
                               or_number(3, ElementType::f32, 0),
                               or_number(4, ElementType::f32, -ops::kInfinity)};
    return {by.make<ops::NonMaxSuppression>(
        std::move(inputs), has_centers ? ops::BoxEncoding::center : ops::BoxEncoding::corner,
        false)};
}

std::vector<Output> convert_non_zero(NodeContext& by) {
    return {by.make<ops::NonZero>(by.input(0))};
}

// A condition that is shorter than the axis leaves the rest out. Without an axis the data count as
// one.
std::vector<Output> convert_compress(NodeContext& by) {
    const auto axis = by.attributes().find_int("axis");
    const Output data = axis ? by.input(0) : by.reshape(by.input(0), {-1});
    const Output condition = by.input(1);
    NodeContext::check_shape(condition, PartialShape::of_rank(1), "condition");
    const Output places = by.squeeze(by.make<ops::NonZero>(condition), {0});
    return {by.gather(data, places, axis.value_or(0))};
}

std::vector<Output> convert_unique(NodeContext& by) {
    std::vector<Output> inputs{by.input(0)};
    if (const auto axis = by.attributes().find_int("axis")) inputs.push_back(by.integer(*axis));
    ops::UniqueAttributes attributes;
    attributes.sorted = by.attribute("sorted", true);
    return by.make_all<ops::Unique>(std::move(inputs), attributes);
}

}  // namespace rondo::onnx
