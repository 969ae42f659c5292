// Converts the operators that make tensors: Constant, ConstantOfShape, EyeLike and Range.
#include <algorithm>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/range.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/source/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

template <typename T>
Tensor tensor_of(const std::vector<T>& values, const Shape& shape) {
    Tensor tensor(element_type_of<T>(), shape);
    std::copy(values.begin(), values.end(), tensor.data<T>());
    return tensor;
}

// Each form is an attribute of its own; a node has exactly one.
std::vector<Tensor> values_of(NodeContext& context) {
    Attributes& attributes = context.attributes();
    std::vector<Tensor> values;
    if (const auto* tensor = attributes.find_tensor("value")) {
        values.push_back(context.read_tensor(*tensor));
    }
    if (const auto* sparse = attributes.find_sparse_tensor("sparse_value")) {
        values.push_back(context.read_tensor(*sparse));
    }
    if (const auto one = attributes.find_float("value_float")) {
        values.push_back(tensor_of<float>({*one}, {}));
    }
    if (const auto one = attributes.find_int("value_int")) {
        values.push_back(tensor_of<std::int64_t>({*one}, {}));
    }
    if (const auto many = attributes.find_floats("value_floats")) {
        values.push_back(tensor_of(*many, {many->size()}));
    }
    if (const auto many = attributes.find_ints("value_ints")) {
        values.push_back(tensor_of(*many, {many->size()}));
    }
    return values;
}

}  // namespace

std::vector<Output> convert_constant(NodeContext& context) {
    for (const char* name : {"value_string", "value_strings"}) {
        if (!context.attributes().has(name)) continue;
        throw UnsupportedError("attribute '" + std::string(name) +
                               "' is not supported: constants hold numbers");
    }
    const auto values = values_of(context);
    if (values.size() != 1) {
        throw ModelError("it has " + std::to_string(values.size()) +
                         " values; expected one of the attributes 'value', 'sparse_value', "
                         "'value_float', 'value_floats', 'value_int' and 'value_ints'");
    }
    return {context.make<ops::Constant>("", values.front())};
}

namespace {

Tensor value_of(NodeContext& context) {
    const auto* message = context.attributes().find_tensor("value");
    if (!message) return Tensor(ElementType::f32, {});
    const Tensor value = context.read_tensor(*message);
    if (value.size() != 1) {
        throw ModelError("attribute 'value' has shape " + to_string(value.shape()) +
                         "; expected one element");
    }
    return value.reshaped({});
}

}  // namespace

std::vector<Output> convert_constant_of_shape(NodeContext& context) {
    const Output value = context.make<ops::Constant>("value", value_of(context));
    return {make_broadcast(context, "", value, context.input(0))};
}

namespace {

ElementType type_of(NodeContext& context) {
    if (const auto named = find_element_type(context.attributes(), "dtype")) return *named;
    return NodeContext::known_type(context.input(0), "input");
}

// Two numbers: a tensor of another rank is refused when it runs where the rank isn't known.
Output shape_of_matrix(NodeContext& context, const Output& data) {
    NodeContext::check_shape(data, PartialShape::of_rank(2), "input");
    const Output shape = make_shape_of(context, "shape", data);
    return data.shape().has_rank() ? shape : make_reshape(context, "shape/two", shape, {2});
}

}  // namespace

std::vector<Output> convert_eye_like(NodeContext& context) {
    const Output shape = shape_of_matrix(context, context.input(0));
    const std::int64_t k = context.attributes().find_int("k").value_or(0);
    const Diagonal diagonal = make_diagonal_in(context, shape, make_int_scalar(context, "k", k));
    const Output ones = context.make<ops::Compare>("ones", ops::CompareFunction::equal,
                                                   diagonal.columns, diagonal.meets);
    return {context.make<ops::Convert>("", ones, type_of(context))};
}

namespace {

constexpr std::int64_t kStashTypeSince = 27;

// Some exporters write the scalar as a vector of one element.
Output number(NodeContext& context, std::size_t input, const char* role) {
    const Output value = context.input(input);
    if (value.shape() == PartialShape(Shape{})) return value;
    return make_reshape(context, role, value, {});
}

std::vector<Output> range_of(NodeContext& context, const Output& step) {
    const ElementType type = NodeContext::known_type(context.input(0), "start");
    return {context.make<ops::Range>("", number(context, 0, "start"), number(context, 1, "limit"),
                                     step, type)};
}

}  // namespace

std::vector<Output> convert_range(NodeContext& context) {
    // The least precision that sums of 16-bit floats must have; they are computed in double.
    if (context.opset() >= kStashTypeSince) context.attributes().find_int("stash_type");
    return range_of(context, number(context, 2, "delta"));
}

// The step may be left out: 1.
std::vector<Output> convert_microsoft_range(NodeContext& context) {
    if (context.has_input(2)) return convert_range(context);
    return range_of(context, make_int_scalar(context, "delta", 1));
}

}  // namespace rondo::onnx
