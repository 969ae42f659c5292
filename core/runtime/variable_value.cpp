#include "core/runtime/variable_value.hpp"

#include "rondo/error.hpp"

namespace rondo {

VariableValue::VariableValue(ops::Variable variable) : variable_(std::move(variable)) { reset(); }

Tensor& VariableValue::stage(const Shape& shape) {
    if (staged_ && staged_.shape() == shape) return staged_;
    if (!variable_.shape().contains(shape)) {
        throw ModelError(describe(*variable_.assign) + ": variable '" + name() +
                         "' can't become a tensor of shape " + to_string(shape) + "; expected " +
                         to_string(variable_.shape()));
    }
    staged_ = Tensor(variable_.type(), shape);
    return staged_;
}

Tensor VariableValue::copy() const {
    if (!value_) return start();
    Tensor copy(value_.element_type(), value_.shape());
    value_.copy_to(copy);
    return copy;
}

void VariableValue::set(const Tensor& tensor) {
    if (!tensor) throw ModelError("variable '" + name() + "': the tensor is empty");
    if (tensor.element_type() != variable_.type() || !variable_.shape().contains(tensor.shape())) {
        throw ModelError("variable '" + name() + "': got " +
                         std::string(to_string(tensor.element_type())) + to_string(tensor.shape()) +
                         "; expected " + std::string(to_string(variable_.type())) +
                         to_string(variable_.shape()));
    }
    Tensor value(tensor.element_type(), tensor.shape());
    tensor.copy_to(value);
    value_ = std::move(value);
}

void VariableValue::reset() { value_ = variable_.read->has_init() ? Tensor() : start(); }

Tensor VariableValue::start() const {
    Shape shape;
    for (const auto& extent : variable_.shape().dimensions()) {
        shape.push_back(static_cast<std::size_t>(extent.min()));
    }
    if (!variable_.shape().has_rank()) shape = {0};
    return {variable_.type(), shape};
}

std::vector<VariableValue> variable_values(const Graph& graph) {
    std::vector<VariableValue> values;
    for (auto& variable : ops::variables_of(graph)) values.emplace_back(std::move(variable));
    return values;
}

}  // namespace rondo
