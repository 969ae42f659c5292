#include "transformations/shapes/extent_value.hpp"

#include <optional>

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/common/extent_origin.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/shapes/linear_number.hpp"

namespace rondo::passes {
namespace {

// Nothing that is done to extents changes them: another type, a bound of 0, a view.
std::optional<std::size_t> unchanged_input(const Node& node) {
    if (node.traits().view || keeps_extents(node)) return 0;
    if (!ops::is(node, ops::BinaryFunction::maximum)) return {};
    for (const std::size_t bound : {0U, 1U}) {
        if (constant_scalar(node.input(bound)) == 0.0) return 1 - bound;
    }
    return {};
}

Output origin_of_value(Output value) {
    while (const auto input = unchanged_input(value.node())) value = value.node().input(*input);
    return value;
}

// Which element of a vector is taken, where it is one.
std::optional<std::int64_t> element_taken(const Node& node) {
    if (as_op<ops::Gather>(node) != nullptr) {
        const auto index = constant_ints(node.input(1));
        return index && index->size() == 1 ? std::optional(index->front()) : std::nullopt;
    }
    if (as_op<ops::Slice>(node) == nullptr || node.output_shape(0) != PartialShape{1}) return {};
    const auto requests = ops::slice_requests(context_of(node));
    return requests && requests->size() == 1 ? requests->front().start : std::nullopt;
}

}  // namespace

bool is_extent(const Output& value, const Output& tensor, std::size_t axis) {
    const Output origin = origin_of_value(value);
    if (const auto number = constant_scalar(origin)) {
        const Dimension& extent = tensor.shape()[axis];
        return extent.is_static() && static_cast<double>(extent.length()) == *number;
    }
    const auto element = element_taken(origin.node());
    if (!element) return false;
    const Output vector = origin_of_value(origin.node().input(0));
    const auto* shape_of = as_op<ops::ShapeOf>(vector.node());
    if (shape_of == nullptr || !shape_of->input(0).shape().has_rank()) return false;
    const auto place = normalized_axes({*element}, shape_of->input(0).shape().rank());
    return place &&
           origin_of_extent(shape_of->input(0), place->front()) == origin_of_extent(tensor, axis);
}

}  // namespace rondo::passes
