// What a request keeps of one variable from one inference to the next.
#pragma once

#include <string>

#include "core/ops/state/variables.hpp"
#include "core/runtime/growable_tensor.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// Two tensors take turns: an inference reads one and writes the other, and only one that succeeds
/// swaps them. So a failed inference leaves the value alone. Other shapes allocate nothing, unless
/// they are larger than all before.
class VariableValue {
public:
    explicit VariableValue(ops::Variable variable);

    const std::string& name() const { return variable_.id; }
    ElementType type() const { return variable_.type(); }
    /// Each value has this shape; its extents may be open.
    const PartialShape& shape() const { return variable_.shape(); }

    /// The value that the next inference reads; empty if it starts from the init input.
    const Tensor& value() const { return value_.get(); }

    /// Where an inference writes the value for the one after it. Throws ModelError naming the
    /// Assign if the variable can't have such a shape.
    Tensor& stage(const Shape& shape);
    /// What was staged becomes the value.
    void commit() { std::swap(value_, staged_); }

    /// The value; while that is still to come from the init input, zeros, open extents as small as
    /// they may be.
    Tensor copy() const;
    /// Throws ModelError naming the variable if type or shape don't fit.
    void set(const Tensor& tensor);
    /// Back to the start. Allocates nothing after the first inference.
    void reset();

private:
    ops::Variable variable_;
    Shape start_shape_;
    GrowableTensor value_;
    GrowableTensor staged_;
};

/// "f32[1,?,3]", the way errors name what a tensor is.
inline std::string text_of(ElementType type, const PartialShape& shape) {
    return std::string(to_string(type)) + to_string(shape);
}
inline std::string text_of(const Tensor& tensor) {
    return text_of(tensor.element_type(), tensor.shape());
}

/// The same elements in memory of its own, row by row.
inline Tensor copy_of(const Tensor& tensor) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    return copy;
}

/// One for each of the graph's variables, in their order.
std::vector<VariableValue> variable_values(const Graph& graph);

}  // namespace rondo
