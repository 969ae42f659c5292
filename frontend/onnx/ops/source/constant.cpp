// Converts Constant.
#include "core/ops/source/constant.hpp"

#include <algorithm>

#include "frontend/onnx/context/node_context.hpp"
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

}  // namespace rondo::onnx
