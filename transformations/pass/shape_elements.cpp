#include "transformations/pass/shape_elements.hpp"

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/strided_slice.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

constexpr int kMaxSteps = 64;
constexpr std::int64_t kMaxElements = 64;

// An element of a tensor.
struct Place {
    Output value;
    std::size_t index = 0;
};

using Next = std::optional<Place>;

bool holds_extents(ElementType type) {
    return type == ElementType::i64 || type == ElementType::i32 || type == ElementType::f32 ||
           type == ElementType::f64;
}

// The length of a tensor of rank 0 or 1.
std::optional<std::size_t> length_of(const Output& value) {
    const PartialShape& shape = value.shape();
    if (!shape.has_rank() || shape.rank() > 1) return {};
    if (shape.rank() == 0) return 1;
    if (!shape[0].is_static()) return {};
    return static_cast<std::size_t>(shape[0].length());
}

Next in_concat(const ops::Concat& node, std::size_t index) {
    for (const Output& part : node.inputs()) {
        const auto length = length_of(part);
        if (!length) return {};
        if (index < *length) return Place{part, index};
        index -= *length;
    }
    return {};
}

Next in_gather(const ops::Gather& node, std::size_t index) {
    const auto length = length_of(node.input(0));
    const auto indices = constant_ints(node.input(1));
    if (!length || !indices || index >= indices->size() || node.batch_dims() != 0) return {};
    const auto place = normalized_axes({(*indices)[index]}, *length);
    return place ? Next(Place{node.input(0), place->front()}) : Next();
}

Next in_request(const Node& node, const ops::SliceRequest& request, std::size_t index) {
    const auto length = length_of(node.input(0));
    if (!length || !request.start || !request.stop || !request.step) return {};
    const auto range = ops::resolve(request, static_cast<std::int64_t>(*length));
    const auto place = range.start + static_cast<std::int64_t>(index) * range.step;
    if (static_cast<std::int64_t>(index) >= range.length) return {};
    return Place{node.input(0), static_cast<std::size_t>(place)};
}

Next in_slice(const ops::Slice& node, std::size_t index) {
    if (!node.input(0).shape().has_rank() || node.input(0).shape().rank() != 1) return {};
    const auto requests = ops::slice_requests(context_of(node));
    if (!requests || requests->size() != 1) return {};
    return in_request(node, requests->front(), index);
}

Next in_strided_slice(const ops::StridedSlice& node, std::size_t index) {
    using Kind = ops::StridedSlicePart::Kind;
    if (!node.input(0).shape().has_rank() || node.input(0).shape().rank() != 1) return {};
    const auto parts = ops::strided_slice_parts(context_of(node), node.masks());
    if (!parts || parts->size() != 1) return {};
    const auto& part = parts->front();
    if (part.kind == Kind::cut) return in_request(node, part.request, index);
    const auto length = length_of(node.input(0));
    if (part.kind != Kind::shrink || !length || !part.request.start) return {};
    const auto place = normalized_axes({*part.request.start}, *length);
    return place ? Next(Place{node.input(0), place->front()}) : Next();
}

// The sum or the product of one element.
Next in_reduce(const ops::Reduce& node) {
    const bool keeps_one =
        node.function() == ops::ReduceFunction::sum || node.function() == ops::ReduceFunction::prod;
    if (!keeps_one || node.input(0).shape() != PartialShape{1}) return {};
    return Place{node.input(0), 0};
}

// Where the element of a node that moves elements comes from.
Next above(const Place& at) {
    const Node& node = at.value.node();
    if (node.traits().view) return Place{node.input(0), at.index};
    if (as_op<ops::Convert>(node) != nullptr && holds_extents(node.output_type(0)) &&
        holds_extents(node.input(0).element_type())) {
        return Place{node.input(0), at.index};
    }
    if (const auto* op = as_op<ops::Reduce>(node)) return in_reduce(*op);
    if (const auto* op = as_op<ops::Concat>(node)) return in_concat(*op, at.index);
    if (const auto* op = as_op<ops::Gather>(node)) return in_gather(*op, at.index);
    if (const auto* op = as_op<ops::Slice>(node)) return in_slice(*op, at.index);
    if (const auto* op = as_op<ops::StridedSlice>(node)) return in_strided_slice(*op, at.index);
    return {};
}

// A whole number that an integer may hold exactly.
std::optional<std::int64_t> number_at(const Tensor& tensor, std::size_t index) {
    if (is_integral(tensor.element_type())) return to_int64_vector(tensor)[index];
    if (tensor.element_type() != ElementType::f32) return {};
    constexpr float kExact = 16777216.0F;
    const float value = tensor.contiguous().data<float>()[index];
    if (!(value > -kExact && value < kExact)) return {};
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<float>(whole) == value ? std::optional(whole) : std::nullopt;
}

}  // namespace

ShapeElement extent_element(const Output& tensor, std::size_t axis) {
    const Dimension& extent = tensor.shape()[axis];
    if (extent.is_static()) return {extent.length()};
    return {{}, tensor, axis};
}

std::optional<ShapeElement> shape_element(const Output& value, std::size_t index) {
    Place at{value, index};
    for (int step = 0; step < kMaxSteps; ++step) {
        if (const Tensor known = known_value(at.value)) {
            if (at.index >= known.size()) return {};
            const auto number = number_at(known, at.index);
            return number ? std::optional(ShapeElement{number}) : std::nullopt;
        }
        if (const auto* shape_of = as_op<ops::ShapeOf>(at.value.node())) {
            const PartialShape& shape = shape_of->input(0).shape();
            if (!shape.has_rank() || at.index >= shape.rank()) return {};
            return extent_element(shape_of->input(0), at.index);
        }
        const Next next = above(at);
        if (!next) return {};
        at = *next;
    }
    return {};
}

std::optional<std::vector<ShapeElement>> shape_elements(const Output& vector) {
    const PartialShape& shape = vector.shape();
    if (!shape.has_rank() || shape.rank() != 1 || !shape[0].is_static()) return {};
    if (shape[0].length() > kMaxElements) return {};
    std::vector<ShapeElement> elements;
    for (std::int64_t i = 0; i < shape[0].length(); ++i) {
        auto element = shape_element(vector, static_cast<std::size_t>(i));
        if (!element) return {};
        elements.push_back(std::move(*element));
    }
    return elements;
}

}  // namespace rondo::passes
