#include "transformations/rows/row_value.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/shape_of.hpp"

namespace rondo::passes {
namespace {

using Element = RowElement;
using Elements = std::vector<RowElement>;
using MaybeElements = std::optional<Elements>;

constexpr std::size_t kMaxElements = 64;

Element number(std::int64_t value) { return {ExtentProduct(value)}; }

MaybeElements elements_of_shape(const Output& data, const RowValue& rows) {
    if (!data.shape().has_rank()) return {};
    Elements elements;
    for (std::size_t axis = 0; axis < data.shape().rank(); ++axis) {
        const bool is_row_axis = rows.has_rows && rows.axis == axis;
        elements.push_back(
            {is_row_axis ? rows.extent : ExtentProduct::of(data, axis), is_row_axis});
    }
    return elements;
}

bool is_small(const PartialShape& shape) {
    return shape.is_static() && element_count(shape.to_shape()) <= kMaxElements;
}

// A tensor of those numbers; an empty handle where one isn't known.
Tensor tensor_of(const Elements& elements, const Output& like) {
    Tensor result(ElementType::i64, like.shape().to_shape());
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto value = elements[i].number();
        if (!value) return {};
        result.data<std::int64_t>()[i] = *value;
    }
    return result;
}

// Moves the numbers of places instead of the elements.
MaybeElements moved(const Node& node, const std::vector<RowValue>& inputs) {
    const std::size_t data_inputs = std::min(node.traits().data_inputs, inputs.size());
    std::vector<Tensor> places;
    Elements all;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].elements || !is_small(node.input(i).shape())) return {};
        if (i >= data_inputs) {
            places.push_back(tensor_of(*inputs[i].elements, node.input(i)));
            if (!places.back()) return {};
            continue;
        }
        Tensor part(ElementType::i64, node.input(i).shape().to_shape());
        for (std::size_t k = 0; k < inputs[i].elements->size(); ++k) {
            part.data<std::int64_t>()[k] = static_cast<std::int64_t>(all.size());
            all.push_back((*inputs[i].elements)[k]);
        }
        places.push_back(std::move(part));
    }
    const auto found = reference::evaluate(node, places);
    if (found.size() != 1 || found[0].size() > kMaxElements) return {};
    Elements elements;
    for (const std::int64_t place : to_int64_vector(found[0])) {
        elements.push_back(all[static_cast<std::size_t>(place)]);
    }
    return elements;
}

MaybeElements product_of(const Elements& factors) {
    Element result = number(1);
    for (const Element& factor : factors) {
        if (!factor.value || !result.value || (result.counts_streams && factor.counts_streams)) {
            return {};
        }
        result = {result.value->times(*factor.value),
                  result.counts_streams || factor.counts_streams};
    }
    if (!result.value) return {};
    return Elements{result};
}

std::optional<Element> sum(const Element& a, const Element& b) {
    if (a.number() == 0) return b;
    if (b.number() == 0) return a;
    if (a.counts_streams || b.counts_streams) return {};
    std::int64_t result = 0;
    if (!a.number() || !b.number() || __builtin_add_overflow(*a.number(), *b.number(), &result)) {
        return Element{};
    }
    return number(result);
}

std::optional<Element> difference(const Element& a, const Element& b) {
    if (const auto taken = b.number(); taken && *taken > -(std::int64_t{1} << 62)) {
        return sum(a, number(-*taken));
    }
    if (a.counts_streams || b.counts_streams) return {};
    return Element{};
}

// Only where it leaves no remainder with one stream, and so none with several.
std::optional<Element> quotient(const Element& a, const Element& b) {
    const bool counts = a.counts_streams || b.counts_streams;
    if (a.value && b.value && (a.counts_streams || !b.counts_streams)) {
        if (auto result = a.value->divided_by(*b.value)) {
            return Element{std::move(result), a.counts_streams && !b.counts_streams};
        }
    }
    if (counts) return {};
    return Element{};
}

std::optional<Element> apply(ops::BinaryFunction function, const Element& a, const Element& b) {
    switch (function) {
        case ops::BinaryFunction::add: return sum(a, b);
        case ops::BinaryFunction::subtract: return difference(a, b);
        case ops::BinaryFunction::divide: return quotient(a, b);
        case ops::BinaryFunction::multiply:
            if (auto result = product_of({a, b})) return result->front();
            break;
        default: break;
    }
    if (a.counts_streams || b.counts_streams) return {};
    return Element{};
}

std::optional<Element> equal(const Element& a, const Element& b) {
    if (a.number() && b.number()) return number(*a.number() == *b.number() ? 1 : 0);
    const auto is_negative = [](const Element& e) { return e.number() && *e.number() < 0; };
    const auto is_extent = [](const Element& e) { return e.value && e.value->is_never_negative(); };
    if ((is_negative(a) && is_extent(b)) || (is_negative(b) && is_extent(a))) return number(0);
    if (a.counts_streams || b.counts_streams) return {};
    return Element{};
}

std::optional<Element> select(const Element& condition, const Element& yes, const Element& no) {
    if (const auto flag = condition.number()) return *flag != 0 ? yes : no;
    if (yes.counts_streams || no.counts_streams) return {};
    return Element{};
}

// The elements that meet at a place, where each input has that many of them or one.
template <typename F>
MaybeElements each(const Node& node, const std::vector<RowValue>& inputs, F&& compute) {
    const PartialShape& shape = node.output_shape(0);
    if (!is_small(shape)) return {};
    const std::size_t count = element_count(shape.to_shape());
    for (const RowValue& input : inputs) {
        if (!input.elements || (input.elements->size() != count && input.elements->size() != 1)) {
            return {};
        }
    }
    const auto at = [&](std::size_t input, std::size_t i) -> const Element& {
        const Elements& elements = *inputs[input].elements;
        return elements[elements.size() == 1 ? 0 : i];
    };
    Elements result;
    for (std::size_t i = 0; i < count; ++i) {
        const std::optional<Element> element = compute([&](std::size_t k) { return at(k, i); });
        if (!element) return {};
        result.push_back(*element);
    }
    return result;
}

bool holds_extents(ElementType type) {
    return type == ElementType::i64 || type == ElementType::i32 || type == ElementType::f32 ||
           type == ElementType::f64;
}

MaybeElements elements_of_arithmetic(const Node& node, const std::vector<RowValue>& inputs) {
    if (const auto* op = as_op<ops::Binary>(node)) {
        const bool is_whole = is_integral(node.output_type(0));
        if (!is_whole && op->function() != ops::BinaryFunction::multiply) return {};
        return each(node, inputs, [&](auto at) { return apply(op->function(), at(0), at(1)); });
    }
    if (is(node, ops::CompareFunction::equal)) {
        return each(node, inputs, [](auto at) { return equal(at(0), at(1)); });
    }
    if (as_op<ops::Select>(node) != nullptr) {
        return each(node, inputs, [](auto at) { return select(at(0), at(1), at(2)); });
    }
    return {};
}

bool is_product(const Node& node) {
    const auto* op = as_op<ops::Reduce>(node);
    return op != nullptr && op->function() == ops::ReduceFunction::prod &&
           node.output_shape(0).is_static() && is_small(node.output_shape(0)) &&
           element_count(node.output_shape(0).to_shape()) == 1;
}

}  // namespace

MaybeElements elements_of_constant(const Tensor& value) {
    if (value.size() > kMaxElements) return {};
    Elements elements;
    if (is_integral(value.element_type())) {
        for (const std::int64_t element : to_int64_vector(value)) {
            elements.push_back(number(element));
        }
        return elements;
    }
    if (value.element_type() != ElementType::f32) return {};
    const Tensor dense = value.contiguous();
    for (std::size_t i = 0; i < dense.size(); ++i) {
        const float element = dense.data<float>()[i];
        constexpr float kExact = 16777216.0F;
        if (!(std::abs(element) < kExact) || element != std::trunc(element)) return {};
        elements.push_back(number(static_cast<std::int64_t>(element)));
    }
    return elements;
}

MaybeElements elements_of_output(const Node& node, const std::vector<RowValue>& inputs) {
    if (as_op<ops::ShapeOf>(node) != nullptr) return elements_of_shape(node.input(0), inputs[0]);
    if (node.output_count() != 1 || inputs.empty()) return {};
    const bool all_known = std::all_of(inputs.begin(), inputs.end(),
                                       [](const RowValue& input) { return input.elements; });
    if (!all_known || !is_small(node.output_shape(0))) return {};
    if (as_op<ops::Convert>(node) != nullptr) {
        const bool keeps =
            holds_extents(node.output_type(0)) && holds_extents(node.input(0).element_type());
        return keeps ? inputs[0].elements : MaybeElements();
    }
    if (node.traits().moves_elements) return moved(node, inputs);
    if (is_product(node)) return product_of(*inputs[0].elements);
    return elements_of_arithmetic(node, inputs);
}

}  // namespace rondo::passes
