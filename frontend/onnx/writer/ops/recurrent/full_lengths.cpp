#include "frontend/onnx/writer/ops/recurrent/full_lengths.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/source/shape_of.hpp"

namespace rondo::onnx {
namespace {

constexpr std::size_t kTimeAxis = 1;  // of X [N,T,I]

bool is_wide_convert(const Node& node) {
    return as_op<ops::Convert>(node) != nullptr &&
           (node.output_type(0) == ElementType::i64 || node.output_type(0) == ElementType::i32);
}

// The number that all lengths are copies of.
Output repeated_value(Output lengths) {
    while (lengths.node().traits().view || as_op<ops::Broadcast>(lengths.node()) != nullptr ||
           is_wide_convert(lengths.node())) {
        lengths = lengths.node().input(0);
    }
    return lengths;
}

bool are_all(const Output& value, std::int64_t extent) {
    const Tensor known = known_value(value);
    if (!known || !is_integral(known.element_type())) return false;
    const auto values = to_int64_vector(known);
    return std::all_of(values.begin(), values.end(),
                       [&](std::int64_t length) { return length == extent; });
}

// Whether the extent of x along `axis` is that of y along `wanted`: x is followed up through ops
// that compute its rows from as many rows.
bool has_extent_of(Output x, std::size_t axis, const Output& y, std::size_t wanted) {
    while (!(x == y && axis == wanted)) {
        if (x.node().input_count() == 0) return false;
        for (const Output& input : x.node().inputs()) {
            if (!input.shape().has_rank()) return false;
        }
        const auto rows = x.node().independent_axis(x.index(), axis);
        if (!rows || rows->broadcasts || rows->inputs[0] == IndependentAxis::kWhole) return false;
        axis = rows->inputs[0];
        x = x.node().input(0);
    }
    return true;
}

// Whether the value is Gather(ShapeOf(y), i) of an extent that X has.
bool is_extent_of(const Output& value, const Output& x) {
    const auto gather = as<ops::Gather>(value);
    const auto shape_of = gather ? as<ops::ShapeOf>(gather->input(0)) : nullptr;
    if (!shape_of || !shape_of->input(0).shape().has_rank()) return false;
    const auto index = ops::constant_ints(*gather, 1);
    if (!index || index->size() != 1) return false;
    const auto rank = static_cast<std::int64_t>(shape_of->input(0).shape().rank());
    const std::int64_t axis = index->front() < 0 ? index->front() + rank : index->front();
    return has_extent_of(x, kTimeAxis, shape_of->input(0), static_cast<std::size_t>(axis));
}

}  // namespace

bool lengths_are_full(const ops::RecurrentOp& op) {
    const Output& x = op.input(op.x_port());
    if (!x.shape().has_rank()) return false;
    const Output value = repeated_value(op.input(op.lengths_port()));
    const Dimension& extent = x.shape()[kTimeAxis];
    if (extent.is_static() && are_all(value, extent.length())) return true;
    return is_extent_of(value, x);
}

}  // namespace rondo::onnx
