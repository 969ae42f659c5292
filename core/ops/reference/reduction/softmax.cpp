// Evaluates both forms of SoftMax.
#include "core/ops/reduction/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/infer_context.hpp"
#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/reduction/evaluators.hpp"

namespace rondo::reference {
namespace {

// `count` values, `stride` apart; the largest is taken off first, so that exp can't overflow.
void softmax_line(double* values, std::size_t count, std::size_t stride) {
    double largest = values[0];
    for (std::size_t i = 1; i < count; ++i) largest = std::fmax(largest, values[i * stride]);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        values[i * stride] = std::exp(values[i * stride] - largest);
        sum += values[i * stride];
    }
    for (std::size_t i = 0; i < count; ++i) values[i * stride] /= sum;
}

}  // namespace

void softmax(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Shape shape = inputs[0].shape().empty() ? Shape{1} : inputs[0].shape();
    const InferContext context(node.name(), node.type_name(), {});
    const auto& op = static_cast<const ops::SoftmaxBase&>(node);
    const std::size_t axis = normalize_axis(context, op.axis(), shape.size());
    const std::size_t count = shape[axis];
    std::size_t stride = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];

    auto values = to_doubles(inputs[0]);
    for (std::size_t start = 0; start < values.size(); start += count * stride) {
        for (std::size_t i = 0; i < stride; ++i) softmax_line(&values[start + i], count, stride);
    }
    from_doubles(values, outputs[0]);
}

}  // namespace rondo::reference
