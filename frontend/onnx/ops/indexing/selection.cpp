// Converts the operators that find elements, slices or boxes.
#include <limits>

#include "core/ops/indexing/non_max_suppression.hpp"
#include "core/ops/indexing/non_zero.hpp"
#include "core/ops/indexing/unique.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/source/constant.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/indexing/converters.hpp"

namespace rondo::onnx {

// Without a least score all boxes are looked at.
std::vector<Output> convert_non_max_suppression(NodeContext& context) {
    const auto or_constant = [&](std::size_t input, const char* role, const Tensor& value) {
        const Output given = context.optional_input(input);
        return given ? given : Output(context.make<ops::Constant>(role, value));
    };
    const auto number = [](float value) {
        Tensor scalar(ElementType::f32, Shape{});
        *scalar.data<float>() = value;
        return scalar;
    };
    const bool has_centers = context.attributes().flag("center_point_box", false);
    std::vector<Output> inputs{
        context.input(0), context.input(1),
        or_constant(2, "most", Tensor(ElementType::i64, Shape{})),
        or_constant(3, "overlap", number(0)),
        or_constant(4, "least_score", number(-std::numeric_limits<float>::infinity()))};
    const auto node = context.make<ops::NonMaxSuppression>(
        "", std::move(inputs), has_centers ? ops::BoxEncoding::center : ops::BoxEncoding::corner,
        false);
    return {node->output(0)};
}

std::vector<Output> convert_non_zero(NodeContext& context) {
    return {context.make<ops::NonZero>("", context.input(0))};
}

// A condition that is shorter than the axis leaves the rest out. Without an axis the data count as
// one.
std::vector<Output> convert_compress(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    const Output input = context.input(0);
    const Output data = axis ? input : Output(make_reshape(context, "flat", input, {-1}));
    const Output condition = context.input(1);
    NodeContext::check_shape(condition, PartialShape::of_rank(1), "condition");
    const Output places =
        context.make<ops::Squeeze>("places", context.make<ops::NonZero>("is_taken", condition),
                                   make_ints(context, "places/axes", {0}));
    return {context.make<ops::Gather>("", data, places,
                                      make_int_scalar(context, "axis", axis.value_or(0)))};
}

std::vector<Output> convert_unique(NodeContext& context) {
    std::vector<Output> inputs{context.input(0)};
    if (const auto axis = context.attributes().find_int("axis")) {
        inputs.push_back(make_int_scalar(context, "axis", *axis));
    }
    ops::UniqueAttributes attributes;
    attributes.sorted = context.attributes().flag("sorted", true);
    return outputs_of(context.make<ops::Unique>("", std::move(inputs), attributes));
}

}  // namespace rondo::onnx
