#include "core/extents/full_lengths.hpp"

#include <algorithm>

#include "core/extents/extent_origin.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"

namespace rondo {
namespace {

constexpr std::size_t kTimeAxis = 1;  // of X [N,T,I]

// To a type that holds any extent in use.
bool widens(const Node& node) {
    const ElementType type = node.output_type(0);
    return as_op<ops::Convert>(node) != nullptr &&
           (type == ElementType::i64 || type == ElementType::i32);
}

bool is_constant_t(const Output& value, const Dimension& t) {
    const Tensor tensor = known_value(value);
    if (!tensor || !t.is_static() || !is_integral(tensor.element_type())) return false;
    const auto lengths = to_int64_vector(tensor);
    return std::all_of(lengths.begin(), lengths.end(),
                       [&](std::int64_t length) { return length == t.length(); });
}

}  // namespace

Output repeated_value(Output value, FunctionRef<bool(const Node& view)> passes) {
    while (true) {
        const Node& node = value.node();
        const bool repeats = node.traits().view
                                 ? passes(node)
                                 : as_op<ops::Broadcast>(node) != nullptr || widens(node);
        if (!repeats) return value;
        value = node.input(0);
    }
}

bool lengths_are_full(const ops::RecurrentOp& node) {
    if (!node.is_sequence()) return true;
    const Output& x = node.input(node.x_port());
    if (!x.shape().has_rank() || x.shape().rank() != 3) return false;
    const auto any_view = [](const Node&) { return true; };
    const Output value = repeated_value(node.input(node.lengths_port()), any_view);
    return is_constant_t(value, x.shape()[kTimeAxis]) || is_extent(value, x, kTimeAxis);
}

}  // namespace rondo
