#include "transformations/analysis/extents.hpp"

#include <algorithm>
#include <optional>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/analysis/constants.hpp"
#include "transformations/analysis/extent_origin.hpp"
#include "transformations/analysis/integers.hpp"
#include "transformations/analysis/linear_number.hpp"

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

namespace {

bool is_read_from_shape(const Output& vector) {
    const auto* gather = as_op<ops::Gather>(vector.node());
    return gather != nullptr && vector.element_type() == ElementType::i64 &&
           as_op<ops::ShapeOf>(gather->input(0).node()) != nullptr;
}

// Neighbours that one node makes: numbers, or extents of one tensor.
struct Run {
    Output tensor = {};  // empty: numbers
    std::vector<std::int64_t> ints = {};
};

std::vector<Run> runs_of(const std::vector<ShapeElement>& elements) {
    std::vector<Run> runs;
    for (const ShapeElement& element : elements) {
        ExtentOrigin origin;
        if (!element.number) origin = origin_of_extent(element.tensor, element.axis);
        if (runs.empty() || runs.back().tensor != origin.source) runs.push_back({origin.source});
        runs.back().ints.push_back(element.number ? *element.number
                                                  : static_cast<std::int64_t>(origin.axis));
    }
    return runs;
}

}  // namespace

Output make_shape(Rewriter& rewriter, const std::vector<ShapeElement>& elements,
                  const std::string& name) {
    std::vector<Output> parts;
    for (const Run& run : runs_of(elements)) {
        if (!run.tensor) {
            parts.push_back(rewriter.make_ints(name + "/numbers", run.ints));
            continue;
        }
        const Output shape = rewriter.make<ops::ShapeOf>(name + "/shape", run.tensor);
        parts.push_back(rewriter.make<ops::Gather>(
            name + "/extents", shape, rewriter.make_ints(name + "/axes", run.ints),
            rewriter.make_scalar(name + "/axis", std::int64_t{0})));
    }
    if (parts.empty()) return rewriter.make_ints(name + "/numbers", {});
    if (parts.size() == 1) return parts.front();
    return rewriter.make<ops::Concat>(name, std::move(parts), 0);
}

bool is_made_shape(const Output& vector) {
    if (known_value(vector) || is_read_from_shape(vector)) return true;
    const auto* concat = as_op<ops::Concat>(vector.node());
    return concat != nullptr &&
           std::all_of(concat->inputs().begin(), concat->inputs().end(), [](const Output& part) {
               return known_value(part) || is_read_from_shape(part);
           });
}

}  // namespace rondo::passes
