// Evaluates both forms of SoftMax, and LogSoftmax.
#include "core/ops/reduction/reduction_ops.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/infer_context.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/numbers.hpp"

namespace rondo::reference {
namespace {

// A line of values, `stride` apart.
struct Line {
    double* values;
    std::size_t count;
    std::size_t stride;

    double& operator[](std::size_t i) const { return values[i * stride]; }
};

using LineFunction = void (*)(const Line& line);

// The largest is taken off first, so that exp can't overflow.
void take_largest_off(const Line& line) {
    double largest = line[0];
    for (std::size_t i = 1; i < line.count; ++i) largest = std::fmax(largest, line[i]);
    for (std::size_t i = 0; i < line.count; ++i) line[i] -= largest;
}

double sum_of_exp(const Line& line) {
    double sum = 0;
    for (std::size_t i = 0; i < line.count; ++i) sum += std::exp(line[i]);
    return sum;
}

void softmax_line(const Line& line) {
    take_largest_off(line);
    const double sum = sum_of_exp(line);
    for (std::size_t i = 0; i < line.count; ++i) line[i] = std::exp(line[i]) / sum;
}

void log_softmax_line(const Line& line) {
    take_largest_off(line);
    const double log_sum = std::log(sum_of_exp(line));
    for (std::size_t i = 0; i < line.count; ++i) line[i] -= log_sum;
}

void for_each_line(const Node& node, const Tensor& input, Tensor& output, LineFunction function) {
    const Shape shape = input.shape().empty() ? Shape{1} : input.shape();
    const InferContext context(node, {});
    const auto& op = static_cast<const ops::SoftmaxBase&>(node);
    const std::size_t axis = normalize_axis(context, op.axis(), shape.size());
    const std::size_t count = shape[axis];
    std::size_t stride = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];

    auto values = to_doubles(input);
    for (std::size_t start = 0; start < values.size(); start += count * stride) {
        for (std::size_t i = 0; i < stride; ++i) function({&values[start + i], count, stride});
    }
    from_doubles(values, output);
}

}  // namespace

void softmax(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    for_each_line(node, inputs[0], outputs[0], softmax_line);
}

void log_softmax(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    for_each_line(node, inputs[0], outputs[0], log_softmax_line);
}

}  // namespace rondo::reference
