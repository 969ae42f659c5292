#include "transformations/shapes/lengths_are_full.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "transformations/common/extent_origin.hpp"
#include "transformations/pass/shape_elements.hpp"

namespace rondo::passes {
namespace {

constexpr std::size_t kTimeAxis = 1;  // of X [N,T,I]

// Passes only through Converts to a type that holds any extent in use.
bool keeps_each_value(const Node& node) {
    if (node.traits().view || as_op<ops::Broadcast>(node) != nullptr) return true;
    return as_op<ops::Convert>(node) != nullptr &&
           (node.output_type(0) == ElementType::i64 || node.output_type(0) == ElementType::i32);
}

// The number that all lengths are copies of.
Output repeated_value(Output lengths) {
    while (keeps_each_value(lengths.node())) lengths = lengths.node().input(0);
    return lengths;
}

bool is_constant_t(const Output& value, const Dimension& t) {
    const Tensor tensor = known_value(value);
    if (!tensor || !t.is_static() || !is_integral(tensor.element_type())) return false;
    const auto lengths = to_int64_vector(tensor);
    return std::all_of(lengths.begin(), lengths.end(),
                       [&](std::int64_t length) { return length == t.length(); });
}

}  // namespace

bool lengths_are_full(const ops::RecurrentOp& node) {
    if (!node.is_sequence()) return true;
    const Output& x = node.input(node.x_port());
    if (!x.shape().has_rank() || x.shape().rank() != 3) return false;
    const Output value = repeated_value(node.input(node.lengths_port()));
    if (is_constant_t(value, x.shape()[kTimeAxis])) return true;
    const bool is_one = value.shape() == PartialShape{1} || value.shape() == PartialShape(Shape{});
    const auto element = is_one ? shape_element(value, 0) : std::nullopt;
    if (!element) return false;
    if (element->number) return x.shape()[kTimeAxis] == Dimension(*element->number);
    return origin_of_extent(element->tensor, element->axis) == origin_of_extent(x, kTimeAxis);
}

}  // namespace rondo::passes
