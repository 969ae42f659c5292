#include "core/extents/integers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

using MaybeIntegers = std::optional<Integers>;
using Inputs = std::span<const MaybeIntegers>;

constexpr std::size_t kMaxElements = 64;

bool is_small(const PartialShape& shape) {
    return shape.is_static() && element_count(shape.to_shape()) <= kMaxElements;
}

template <typename F>
bool any_element(Inputs inputs, F&& holds) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const MaybeIntegers& input) {
        return input && std::any_of(input->begin(), input->end(), holds);
    });
}

bool is_known(const Integer& element) { return element.has_value(); }

bool has_variables(const Integer& element) { return element && element->has_variables(); }

// The elements as a tensor; an empty handle where one is no known number.
Tensor tensor_of(const MaybeIntegers& elements, const PartialShape& shape) {
    if (!elements || !is_small(shape)) return {};
    Tensor result(ElementType::i64, shape.to_shape());
    for (std::size_t i = 0; i < elements->size(); ++i) {
        const auto number = (*elements)[i] ? (*elements)[i]->number() : std::nullopt;
        if (!number) return {};
        result.data<std::int64_t>()[i] = *number;
    }
    return result;
}

// Moves the places of elements in place of the elements.
MaybeIntegers moved(const Node& node, std::size_t output, Inputs inputs) {
    std::vector<Tensor> places;
    Integers all;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const PartialShape& shape = node.input(i).shape();
        if (!is_small(shape)) return {};
        if (i >= node.traits().data_inputs) {
            places.push_back(tensor_of(inputs[i], shape));
            if (!places.back()) return {};
            continue;
        }
        Tensor part(ElementType::i64, shape.to_shape());
        for (std::size_t k = 0; k < part.size(); ++k) {
            part.data<std::int64_t>()[k] = static_cast<std::int64_t>(all.size());
            all.push_back(inputs[i] ? (*inputs[i])[k] : Integer());
        }
        places.push_back(std::move(part));
    }
    Integers elements;
    try {
        for (const auto place : to_int64_vector(reference::evaluate(node, places)[output])) {
            elements.push_back(all[static_cast<std::size_t>(place)]);
        }
    } catch (const Error&) {  // a run would fail as well
        return {};
    }
    return elements;
}

// a / b, which is rounded where both are integers: towards zero, or down.
Integer quotient(const ExtentSum& a, const ExtentSum& b, bool is_integer, Arithmetic arithmetic) {
    const auto dividend = a.number(), divisor = b.number();
    if (is_integer && dividend && divisor && *dividend >= 0 && *divisor > 0) {
        return ExtentSum(*dividend / *divisor);
    }
    return divisor || arithmetic == Arithmetic::meant ? a.divided_by(b) : Integer();
}

Integer applied(ops::BinaryFunction function, const ExtentSum& a, const ExtentSum& b,
                bool is_integer, Arithmetic arithmetic) {
    switch (function) {
        case ops::BinaryFunction::add: return a.plus(b);
        case ops::BinaryFunction::subtract: return a.plus(b, -1);
        case ops::BinaryFunction::multiply: return a.times(b);
        case ops::BinaryFunction::divide: return quotient(a, b, is_integer, arithmetic);
        case ops::BinaryFunction::maximum: return greater_one(a, b);
        case ops::BinaryFunction::minimum: return smaller_one(a, b);
        default: return {};
    }
}

Integer applied(ops::UnaryFunction function, const ExtentSum& x) {
    switch (function) {
        case ops::UnaryFunction::negative: return x.times(-1);
        case ops::UnaryFunction::logical_not: return ExtentSum(1).plus(x, -1);
        case ops::UnaryFunction::ceiling:
        case ops::UnaryFunction::floor: return x;
        default: return {};
    }
}

// Elementwise ops that make_element() follows.
bool is_arithmetic(const Node& node) {
    return as_op<ops::Binary>(node) != nullptr || as_op<ops::Compare>(node) != nullptr ||
           as_op<ops::Select>(node) != nullptr || as_op<ops::Unary>(node) != nullptr;
}

// What such an op makes of the elements that meet at a place.
Integer make_element(const Node& node, const Integers& at, Arithmetic arithmetic) {
    if (as_op<ops::Select>(node) != nullptr) {
        const auto condition = at[0] ? at[0]->number() : std::nullopt;
        return condition ? at[*condition != 0 ? 1 : 2] : Integer();
    }
    if (!std::all_of(at.begin(), at.end(), is_known)) return {};
    if (const auto* op = as_op<ops::Binary>(node)) {
        return applied(op->function(), *at[0], *at[1], is_integral(node.output_type(0)),
                       arithmetic);
    }
    if (const auto* op = as_op<ops::Compare>(node)) {
        const auto holds = compared(op->function(), *at[0], *at[1]);
        return holds ? Integer(*holds ? 1 : 0) : Integer();
    }
    return applied(as_op<ops::Unary>(node)->function(), *at[0]);
}

// Whether an element isn't known although it follows from one with variables.
bool loses_variables(const Integer& element, const Integers& from) {
    return !element && std::any_of(from.begin(), from.end(), has_variables);
}

// Each input has as many elements as the output, or one.
MaybeIntegers elementwise(const Node& node, Inputs inputs, Arithmetic arithmetic) {
    const std::size_t count = element_count(node.output_shape(0).to_shape());
    Integers result;
    for (std::size_t i = 0; i < count; ++i) {
        Integers at;
        for (const MaybeIntegers& input : inputs) {
            if (input && input->size() != count && input->size() != 1) return {};
            at.push_back(input ? (*input)[input->size() == 1 ? 0 : i] : Integer());
        }
        result.push_back(make_element(node, at, arithmetic));
        if (loses_variables(result.back(), at)) return {};
    }
    return result;
}

// The sum or the product of all elements.
MaybeIntegers reduced(const ops::Reduce& node, const MaybeIntegers& data) {
    const bool is_product = node.function() == ops::ReduceFunction::prod;
    if (!is_product && node.function() != ops::ReduceFunction::sum) return {};
    if (!data || element_count(node.output_shape(0).to_shape()) != 1) return {};
    Integer result = ExtentSum(is_product ? 1 : 0);
    for (const Integer& element : *data) {
        if (!result || !element) {
            result.reset();
        } else {
            result = is_product ? result->times(*element) : result->plus(*element);
        }
    }
    return loses_variables(result, *data) ? MaybeIntegers() : Integers{result};
}

// A sum of extents may not fit 32 bits; an extent does.
bool fits(const Integer& element, ElementType type) {
    if (!element || type != ElementType::i32) return true;
    const auto number = element->number();
    if (!number) return element->symbol().has_value();
    return *number >= std::numeric_limits<std::int32_t>::min() &&
           *number <= std::numeric_limits<std::int32_t>::max();
}

bool computes(ElementType type, Arithmetic arithmetic) {
    if (type == ElementType::i64 || type == ElementType::i32 || type == ElementType::boolean) {
        return true;
    }
    return arithmetic == Arithmetic::meant && holds_extents(type);
}

// Whether computed_integers() can say something of the node.
bool is_followed(const Node& node, Arithmetic arithmetic) {
    if (node.traits().moves_elements || node.traits().view) return true;
    if (as_op<ops::Convert>(node) != nullptr) {
        const ElementType from = node.input(0).element_type();
        return holds_extents(node.output_type(0)) &&
               (holds_extents(from) || from == ElementType::boolean);
    }
    return computes(node.output_type(0), arithmetic) &&
           (is_arithmetic(node) || as_op<ops::Reduce>(node) != nullptr);
}

}  // namespace

bool holds_extents(ElementType type) {
    return type == ElementType::i64 || type == ElementType::i32 || type == ElementType::f32 ||
           type == ElementType::f64;
}

std::optional<Integers> integers_in(const Tensor& constant) {
    const ElementType type = constant.element_type();
    if (constant.size() > kMaxElements) return {};
    Integers elements;
    if (is_integral(type) || type == ElementType::boolean) {
        for (const std::int64_t element : to_int64_vector(constant)) elements.emplace_back(element);
        return elements;
    }
    if (type != ElementType::f32 && type != ElementType::f64) return {};
    constexpr double kExact = 16777216;
    const Tensor dense = constant.contiguous();
    for (std::size_t i = 0; i < dense.size(); ++i) {
        const double value =
            type == ElementType::f32 ? double{dense.data<float>()[i]} : dense.data<double>()[i];
        const bool is_whole = std::abs(value) < kExact && value == std::trunc(value);
        elements.push_back(is_whole ? Integer(static_cast<std::int64_t>(value)) : Integer());
    }
    return elements;
}

std::optional<Integers> computed_integers(const Node& node, std::size_t output, Inputs inputs,
                                          Arithmetic arithmetic) {
    if (node.output_count() == 0 || !is_small(node.output_shape(output))) return {};
    if (!is_followed(node, arithmetic) || !any_element(inputs, is_known)) return {};
    const auto* reduce = as_op<ops::Reduce>(node);
    const bool has_data_only = node.traits().view || reduce != nullptr;
    if (has_data_only && any_element(inputs.subspan(1), has_variables)) return {};
    if (node.traits().view || as_op<ops::Convert>(node) != nullptr) return inputs[0];
    if (node.traits().moves_elements) return moved(node, output, inputs);
    auto result =
        reduce != nullptr ? reduced(*reduce, inputs[0]) : elementwise(node, inputs, arithmetic);
    if (!result || arithmetic == Arithmetic::meant) return result;
    for (Integer& element : *result) {
        if (!fits(element, node.output_type(0))) element.reset();
    }
    return result;
}

std::optional<Integers> IntegerReader::read(const Output& value) {
    const auto place = std::make_pair(&value.node(), value.index());
    if (const auto known = known_.find(place); known != known_.end()) return known->second;
    auto found = left_-- > 0 ? find(value) : MaybeIntegers();
    known_.emplace(place, found);
    return found;
}

Integer IntegerReader::read(const Output& value, std::size_t index) {
    const auto elements = read(value);
    return elements && index < elements->size() ? (*elements)[index] : Integer();
}

std::optional<Integers> IntegerReader::find(const Output& value) {
    if (leaves_.outside) {
        if (const Output around = leaves_.outside(value)) return read(around);
    }
    if (const Integer element = leaves_.element ? leaves_.element(value) : Integer()) {
        return Integers{element};
    }
    if (const Tensor known = known_value(value)) return integers_in(known);
    const Node& node = value.node();
    const PartialShape& shape = value.shape();
    if (!is_small(shape) || (shape.rank() > 1 && element_count(shape.to_shape()) != 1)) return {};
    if (as_op<ops::ShapeOf>(node) != nullptr) {
        const Output& tensor = node.input(0);
        Integers extents;
        for (std::size_t i = 0; tensor.shape().has_rank() && i < tensor.shape().rank(); ++i) {
            extents.emplace_back(ExtentSum::of(tensor, i));
        }
        return extents;
    }
    if (node.input_count() == 0 || !is_followed(node, arithmetic_)) return {};
    std::vector<MaybeIntegers> inputs;
    for (const Output& input : node.inputs()) inputs.push_back(read(input));
    return computed_integers(node, value.index(), inputs, arithmetic_);
}

ShapeElement extent_element(const Output& tensor, std::size_t axis) {
    const Dimension& extent = tensor.shape()[axis];
    if (extent.is_static()) return {extent.length()};
    return {{}, tensor, axis};
}

namespace {

std::optional<ShapeElement> as_shape_element(const Integer& element) {
    if (!element) return {};
    if (const auto number = element->number()) return ShapeElement{number};
    const auto symbol = element->symbol();
    return symbol ? std::optional(ShapeElement{{}, symbol->tensor, symbol->axis}) : std::nullopt;
}

}  // namespace

std::optional<ShapeElement> shape_element(const Output& value, std::size_t index) {
    return as_shape_element(IntegerReader().read(value, index));
}

std::optional<std::vector<ShapeElement>> shape_elements(const Output& vector) {
    const auto integers = IntegerReader().read(vector);
    if (!integers || vector.shape().rank() != 1) return {};
    std::vector<ShapeElement> elements;
    for (const Integer& integer : *integers) {
        const auto element = as_shape_element(integer);
        if (!element) return {};
        elements.push_back(*element);
    }
    return elements;
}

}  // namespace rondo
