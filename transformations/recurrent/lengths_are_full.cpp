#include "transformations/recurrent/lengths_are_full.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/common/extent_origin.hpp"
#include "transformations/common/views.hpp"
#include "transformations/pass/constants.hpp"

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

// Gather(ShapeOf(y), axis): where that extent comes from.
std::optional<ExtentOrigin> extent_read_by(const Output& value) {
    const auto gather = as<ops::Gather>(value);
    const auto shape_of = gather ? as<ops::ShapeOf>(gather->input(0)) : nullptr;
    if (!shape_of || !shape_of->input(0).shape().has_rank()) return {};
    const auto index = constant_ints(gather->input(1));
    if (!index || index->size() != 1) return {};
    const auto axis = normalized_axes(*index, shape_of->input(0).shape().rank());
    if (!axis) return {};
    return origin_of_extent(shape_of->input(0), axis->front());
}

}  // namespace

bool lengths_are_full(const ops::RecurrentOp& node) {
    if (!node.is_sequence()) return true;
    const Output& x = node.input(node.x_port());
    if (!x.shape().has_rank() || x.shape().rank() != 3) return false;
    const Output& lengths = node.input(node.lengths_port());
    const Output value = repeated_value(lengths);
    if (is_constant_t(value, x.shape()[kTimeAxis])) return true;
    const auto origin = extent_read_by(value);
    return origin && *origin == origin_of_extent(x, kTimeAxis);
}

}  // namespace rondo::passes
