// Converts CDist of com.microsoft: the distances of the rows of two matrices.
#include "frontend/onnx/ops/common/composer.hpp"
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

}  // namespace rondo::onnx
