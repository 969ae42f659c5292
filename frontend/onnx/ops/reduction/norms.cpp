// Converts the operators on norms: CDist of com.microsoft, the distances of the rows of two
// matrices, and LpNormalization.
#include <string>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {

std::vector<Output> convert_cdist(NodeContext& context) {
    const std::string metric = context.attributes().find_string("metric").value_or("sqeuclidean");
    if (metric != "sqeuclidean" && metric != "euclidean") {
        throw UnsupportedError("attribute 'metric' is '" + metric +
                               "'; expected 'euclidean' or 'sqeuclidean'");
    }
    const Output a = context.input(0), b = context.input(1);
    NodeContext::check_shape(a, PartialShape::of_rank(2), "A");
    NodeContext::check_shape(b, PartialShape::of_rank(2), "B");
    Composer by(context);
    const Output squares = by.apply(ops::BinaryFunction::squared_difference, by.unsqueeze(a, {1}),
                                    by.unsqueeze(b, {0}));
    Output distances =
        by.reshape(by.reduce(ops::ReduceFunction::sum, squares, {2}), Composer::Ints{0, 0});
    if (metric == "euclidean") distances = by.apply(ops::UnaryFunction::sqrt, distances);
    return {by.result(distances)};
}

// x over its norm along an axis; zeros where that is 0.
std::vector<Output> convert_lp_normalization(NodeContext& context) {
    const Output x = context.input(0);
    const ElementType type = NodeContext::known_type(x, "X");
    const std::int64_t p = context.attributes().find_int("p").value_or(2);
    const std::int64_t axis = context.attributes().find_int("axis").value_or(-1);
    if (p != 1 && p != 2) {
        throw ModelError("attribute 'p' is " + std::to_string(p) + "; expected 1 or 2");
    }
    const auto function = p == 1 ? ops::ReduceFunction::l1 : ops::ReduceFunction::l2;
    const Output norm =
        context.make<ops::Reduce>("norm", function, x, make_ints(context, "axis", {axis}), true);
    const Output none = context.make<ops::Compare>("none", ops::CompareFunction::equal, norm,
                                                   make_filled(context, "zero", type, {}, 0));
    const Output divisor =
        context.make<ops::Select>("divisor", none, make_filled(context, "one", type, {}, 1), norm);
    return {make_binary(context, "", ops::BinaryFunction::divide, x, divisor)};
}

}  // namespace rondo::onnx
