// Evaluates both forms of SoftMax, LogSoftmax and MVN.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/indices.hpp"
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
    const AxisLines lines(shape, axis);
    auto values = to_doubles(input);
    for (std::size_t i = 0; i < lines.count(); ++i) {
        function({&values[lines.start(i)], lines.extent, lines.inner});
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

namespace {

// The mean of all values that belong to each group.
std::vector<double> means(const std::vector<double>& values, const std::vector<std::size_t>& groups,
                          std::size_t count) {
    std::vector<double> sums(count), sizes(count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        sums[groups[i]] += values[i];
        ++sizes[groups[i]];
    }
    for (std::size_t i = 0; i < count; ++i) sums[i] /= sizes[i];
    return sums;
}

}  // namespace

void mvn(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& attributes = static_cast<const ops::Mvn&>(node).attributes();
    const InferContext context = known_context(node, inputs);
    Shape kept = inputs[0].shape();
    const auto reduced = ops::reduced_axes(context, context.ints(1).value(), kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (reduced[i]) kept[i] = 1;
    }
    std::vector<std::size_t> groups;  // an element each
    const auto strides = broadcast_strides(kept, inputs[0].shape());
    walk(inputs[0].shape(), strides, strides,
         [&](std::size_t group, std::size_t) { groups.push_back(group); });
    const std::size_t count = element_count(kept);

    auto values = to_doubles(inputs[0]);
    const auto mean = means(values, groups, count);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= mean[groups[i]];
    if (attributes.normalize_variance) {
        std::vector<double> squares(values);
        for (double& x : squares) x *= x;
        const auto variance = means(squares, groups, count);
        const bool inside = attributes.eps_mode == ops::EpsMode::inside_sqrt;
        const double eps = attributes.eps;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double v = variance[groups[i]];
            values[i] /= inside ? std::sqrt(v + eps) : std::sqrt(v) + eps;
        }
    }
    from_doubles(values, outputs[0]);
}

}  // namespace rondo::reference
