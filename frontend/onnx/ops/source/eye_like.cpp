// Converts EyeLike: ones on a diagonal, zeros elsewhere.
#include "core/ops/elementwise/compare.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/diagonals.hpp"
#include "frontend/onnx/ops/source/converters.hpp"

namespace rondo::onnx {
namespace {

ElementType type_of(NodeContext& context) {
    if (const auto named = find_element_type(context.attributes(), "dtype")) return *named;
    return NodeContext::known_type(context.input(0), "input");
}

// Two numbers: a tensor of another rank is refused when it runs where the rank isn't known.
Output shape_of_matrix(NodeContext& context, const Output& data) {
    NodeContext::check_shape(data, PartialShape::of_rank(2), "input");
    const Output shape = make_shape_of(context, "shape", data);
    return data.shape().has_rank() ? shape : make_reshape(context, "shape/two", shape, {2});
}

}  // namespace

std::vector<Output> convert_eye_like(NodeContext& context) {
    const Output shape = shape_of_matrix(context, context.input(0));
    const std::int64_t k = context.attributes().find_int("k").value_or(0);
    const Diagonal diagonal = make_diagonal_in(context, shape, make_int_scalar(context, "k", k));
    const Output ones = context.make<ops::Compare>("ones", ops::CompareFunction::equal,
                                                   diagonal.columns, diagonal.meets);
    return {context.make<ops::Convert>("", ones, type_of(context))};
}

}  // namespace rondo::onnx
