#include "core/runtime/variable_value.hpp"

#include <cstring>

#include "rondo/error.hpp"

namespace rondo {
namespace {

// Open extents as small as they may be.
Shape smallest(const PartialShape& shape) {
    if (!shape.has_rank()) return {0};
    Shape extents;
    for (const auto& extent : shape.dimensions()) {
        extents.push_back(static_cast<std::size_t>(extent.min()));
    }
    return extents;
}

}  // namespace

VariableValue::VariableValue(ops::Variable variable)
    : variable_(std::move(variable)), start_shape_(smallest(variable_.shape())) {
    reset();
}

Tensor& VariableValue::stage(const Shape& shape) {
    const Tensor& before = staged_.get();
    const bool is_checked = before && before.shape() == shape;
    if (!is_checked && !variable_.shape().contains(shape)) {
        throw ModelError(describe(*variable_.assign) + ": variable '" + name() +
                         "' can't become a tensor of shape " + to_string(shape) + "; expected " +
                         to_string(variable_.shape()));
    }
    return staged_.reshape(variable_.type(), shape);
}

Tensor VariableValue::copy() const {
    return value() ? copy_of(value()) : Tensor(variable_.type(), start_shape_);
}

void VariableValue::set(const Tensor& tensor) {
    if (!tensor) throw ModelError("variable '" + name() + "': the tensor is empty");
    if (tensor.element_type() != variable_.type() || !variable_.shape().contains(tensor.shape())) {
        throw ModelError("variable '" + name() + "': got " + text_of(tensor) + "; expected " +
                         text_of(variable_.type(), variable_.shape()));
    }
    tensor.copy_to(staged_.reshape(tensor.element_type(), tensor.shape()));
    commit();
}

void VariableValue::reset() {
    if (variable_.read->has_init()) return value_.clear();
    Tensor& zeros = staged_.reshape(variable_.type(), start_shape_);
    if (zeros.byte_size() > 0) std::memset(zeros.data(), 0, zeros.byte_size());
    commit();
}

std::vector<VariableValue> variable_values(const Graph& graph) {
    std::vector<VariableValue> values;
    for (auto& variable : ops::variables_of(graph)) values.emplace_back(std::move(variable));
    return values;
}

}  // namespace rondo
