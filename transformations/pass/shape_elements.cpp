#include "transformations/pass/shape_elements.hpp"

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/split.hpp"
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

// An output of a Split or VariadicSplit of a vector begins behind the outputs before it.
Next in_split(const Output& value, std::size_t index) {
    const Node& node = value.node();
    if (!length_of(node.input(0)) || node.input(0).shape().rank() != 1) return {};
    for (std::size_t i = 0; i < value.index(); ++i) {
        const PartialShape& shape = node.output_shape(i);
        if (!shape.has_rank() || !shape[0].is_static()) return {};
        index += static_cast<std::size_t>(shape[0].length());
    }
    return Place{node.input(0), index};
}

// The operand's element that meets element `index` of a result of rank 0 or 1.
Next in_operand(const Output& operand, std::size_t index) {
    const auto length = length_of(operand);
    return length ? Next(Place{operand, *length == 1 ? 0 : index}) : Next();
}

Next in_broadcast(const Output& value, const ops::Broadcast& node, std::size_t index) {
    const bool is_plain = node.mode() != ops::BroadcastMode::explicit_axes && length_of(value);
    return is_plain ? in_operand(node.input(0), index) : Next();
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
    if (const auto* op = as_op<ops::Broadcast>(node)) return in_broadcast(at.value, *op, at.index);
    const bool splits =
        as_op<ops::Split>(node) != nullptr || as_op<ops::VariadicSplit>(node) != nullptr;
    return splits ? in_split(at.value, at.index) : Next();
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

// Reads elements through a number of ops in all, however many ways there are.
class ElementReader {
public:
    using Found = std::optional<ShapeProduct>;

    Found read(Place at) {
        while (left_-- > 0) {
            if (const Tensor known = known_value(at.value)) return known_element(known, at.index);
            if (const auto* shape_of = as_op<ops::ShapeOf>(at.value.node())) {
                return extent(*shape_of, at.index);
            }
            const Next next = above(at);
            if (!next) return computed_element(at);
            at = *next;
        }
        return {};
    }

private:
    using Truth = std::optional<bool>;

    static Found known_element(const Tensor& known, std::size_t index) {
        if (index >= known.size()) return {};
        const auto number = number_at(known, index);
        return number ? Found(ShapeProduct{*number, {}}) : Found();
    }

    static Found extent(const ops::ShapeOf& node, std::size_t index) {
        const PartialShape& shape = node.input(0).shape();
        if (!shape.has_rank() || index >= shape.rank()) return {};
        const ShapeElement element = extent_element(node.input(0), index);
        if (element.number) return ShapeProduct{*element.number, {}};
        return ShapeProduct{1, {element}};
    }

    Found operand(const Node& node, std::size_t input, std::size_t index) {
        const Next place = in_operand(node.input(input), index);
        return place ? read(*place) : Found();
    }

    // Only integers are read; a product of extents might not fit 32 bits.
    Found computed_element(const Place& at) {
        const Node& node = at.value.node();
        const ElementType type = at.value.element_type();
        if ((type != ElementType::i64 && type != ElementType::i32) || !length_of(at.value)) {
            return {};
        }
        Found result;
        if (const auto* op = as_op<ops::Binary>(node)) result = read_binary(*op, at.index);
        if (const auto* op = as_op<ops::Reduce>(node)) result = read_reduce(*op, at);
        if (as_op<ops::Select>(node) != nullptr) {
            const Truth truth = condition(node.input(0), at.index);
            if (truth) result = operand(node, *truth ? 1 : 2, at.index);
        }
        const bool is_plain = result && (result->is_number() || *result == single(*result));
        return is_plain || type == ElementType::i64 ? result : Found();
    }

    static ShapeProduct single(const ShapeProduct& product) {
        return ShapeProduct{1, {product.extents.front()}};
    }

    Found read_binary(const ops::Binary& node, std::size_t index) {
        const Found a = operand(node, 0, index);
        const Found b = a ? operand(node, 1, index) : Found();
        return b ? computed(node.function(), *a, *b) : Found();
    }

    // The sum or the product of a whole vector.
    Found read_reduce(const ops::Reduce& node, const Place& at) {
        const bool is_product = node.function() == ops::ReduceFunction::prod;
        const auto length = length_of(node.input(0));
        const auto axes = constant_ints(node.input(1));
        if (!is_product && node.function() != ops::ReduceFunction::sum) return {};
        if (!length || length_of(at.value) != 1 || !axes || axes->empty()) return {};
        const auto function = is_product ? ops::BinaryFunction::multiply : ops::BinaryFunction::add;
        Found result = ShapeProduct{is_product ? 1 : 0, {}};
        for (std::size_t i = 0; result && i < *length; ++i) {
            const Found next = read({node.input(0), i});
            result = next ? computed(function, *result, *next) : Found();
        }
        return result;
    }

    Truth condition(Output value, std::size_t index) {
        while (value.node().traits().view) value = value.node().input(0);
        const Node& node = value.node();
        if (left_-- <= 0 || !length_of(value)) return {};
        if (const Tensor known = known_value(value)) return known_truth(known, index);
        if (const auto* op = as_op<ops::Compare>(node)) {
            const Found a = operand(node, 0, index);
            const Found b = a ? operand(node, 1, index) : Found();
            return b ? compared(op->function(), *a, *b) : Truth();
        }
        if (const auto* op = as_op<ops::Unary>(node);
            op != nullptr && op->function() == ops::UnaryFunction::logical_not) {
            const Truth truth = condition(node.input(0), index);
            return truth ? Truth(!*truth) : Truth();
        }
        return {};
    }

    static Truth known_truth(const Tensor& known, std::size_t index) {
        if (known.element_type() != ElementType::boolean) return {};
        const std::size_t place = known.size() == 1 ? 0 : index;
        if (place >= known.size()) return {};
        return known.contiguous().data<bool>()[place];
    }

    int left_ = kMaxSteps;
};

}  // namespace

ShapeElement extent_element(const Output& tensor, std::size_t axis) {
    const Dimension& extent = tensor.shape()[axis];
    if (extent.is_static()) return {extent.length()};
    return {{}, tensor, axis};
}

std::optional<ShapeProduct> shape_product(const Output& value, std::size_t index) {
    return ElementReader().read({value, index});
}

std::optional<ShapeElement> shape_element(const Output& value, std::size_t index) {
    const auto product = shape_product(value, index);
    if (!product) return {};
    if (product->is_number()) return ShapeElement{product->number};
    const bool is_extent = product->number == 1 && product->extents.size() == 1;
    return is_extent ? std::optional(product->extents.front()) : std::nullopt;
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
