// Converts the operators that make tensors: Constant, ConstantOfShape, EyeLike, Range, Shape and
// Size.
#include <algorithm>
#include <limits>

#include "core/ops/compositions.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
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
std::vector<Tensor> values_of(NodeContext& by) {
    Attributes& attributes = by.attributes();
    std::vector<Tensor> values;
    if (const auto* tensor = attributes.find_tensor("value")) {
        values.push_back(by.read_tensor(*tensor));
    }
    if (const auto* sparse = attributes.find_sparse_tensor("sparse_value")) {
        values.push_back(by.read_tensor(*sparse));
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

std::vector<Output> convert_constant(NodeContext& by) {
    for (const char* name : {"value_string", "value_strings"}) {
        if (!by.attributes().has(name)) continue;
        throw UnsupportedError("attribute '" + std::string(name) +
                               "' is not supported: constants hold numbers");
    }
    const auto values = values_of(by);
    if (values.size() != 1) {
        throw ModelError("it has " + std::to_string(values.size()) +
                         " values; expected one of the attributes 'value', 'sparse_value', "
                         "'value_float', 'value_floats', 'value_int' and 'value_ints'");
    }
    return {by.constant(values.front())};
}

namespace {

Tensor value_of(NodeContext& by) {
    const auto* message = by.attributes().find_tensor("value");
    if (!message) return Tensor(ElementType::f32, {});
    const Tensor value = by.read_tensor(*message);
    if (value.size() != 1) {
        throw ModelError("attribute 'value' has shape " + to_string(value.shape()) +
                         "; expected one element");
    }
    return value.reshaped({});
}

}  // namespace

std::vector<Output> convert_constant_of_shape(NodeContext& by) {
    return {by.broadcast(by.constant(value_of(by)), by.input(0))};
}

namespace {

ElementType type_of(NodeContext& by) {
    if (const auto named = find_element_type(by.attributes(), "dtype")) return *named;
    return NodeContext::known_type(by.input(0), "input");
}

}  // namespace

std::vector<Output> convert_eye_like(NodeContext& by) {
    const Output data = by.input(0);
    NodeContext::check_shape(data, PartialShape::of_rank(2), "input");
    // Two numbers: a tensor of another rank is refused when it runs if the rank isn't known.
    const Output whole = by.shape_of(data);
    const Output shape = data.shape().has_rank() ? whole : by.reshape(whole, {2});
    const Output k = by.integer(by.attribute("k", 0));
    const auto extent = [&](std::int64_t axis) { return by.gather(shape, by.integer(axis), 0); };
    const ops::Diagonal diagonal = ops::diagonal(by, extent(-2), extent(-1), k);
    const ElementType type = type_of(by);
    return {by.make<ops::Convert>(by.equal(diagonal.columns, diagonal.meets), type)};
}

namespace {

// Some exporters write a scalar as a vector of one element.
std::vector<Output> range_of(NodeContext& by, const Output& step) {
    const ElementType type = NodeContext::known_type(by.input(0), "start");
    return {by.make<ops::Range>(by.scalar(by.input(0)), by.scalar(by.input(1)), step, type)};
}

}  // namespace

std::vector<Output> convert_range(NodeContext& by) {
    constexpr std::int64_t kStashTypeSince = 27;
    // The least precision that sums of 16-bit floats must have; they are computed in double.
    if (by.opset() >= kStashTypeSince) by.attributes().find_int("stash_type");
    return range_of(by, by.scalar(by.input(2)));
}

// The step may be left out: 1.
std::vector<Output> convert_microsoft_range(NodeContext& by) {
    return by.has_input(2) ? convert_range(by) : range_of(by, by.integer(1));
}

std::vector<Output> convert_shape(NodeContext& by) {
    constexpr std::int64_t kRangeSince = 15;
    constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();
    const bool ranged = by.opset() >= kRangeSince;
    const std::int64_t start = ranged ? by.attribute("start", 0) : 0;
    const std::int64_t end = ranged ? by.attribute("end", kToTheEnd) : kToTheEnd;
    const Output shape = by.shape_of(by.input(0));
    return {start == 0 && end == kToTheEnd ? shape : by.slice(shape, 0, start, end)};
}

// The product of the extents.
std::vector<Output> convert_size(NodeContext& by) {
    return {by.reduce(ReduceFunction::prod, by.shape_of(by.input(0)), {0}, false)};
}

}  // namespace rondo::onnx
