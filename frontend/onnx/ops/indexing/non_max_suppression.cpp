// Converts NonMaxSuppression.
#include "core/ops/indexing/non_max_suppression.hpp"

#include <limits>

#include "core/ops/source/constant.hpp"

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

}  // namespace rondo::onnx
