// Converts NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss. Types of 16 bits are computed in
// f32.
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"

namespace rondo::onnx {
namespace {

struct Samples {
    Output loss;    // of each sample
    Output weight;  // likewise; empty if all weigh 1
};

// logs: [batch, classes, ...]; labels: [batch, ...].
Samples samples_of(NodeContext& by, const Output& logs) {
    Output labels = by.convert(by.input(1), ElementType::i64);
    Output is_ignored;
    if (const auto ignored = by.attributes().find_int("ignore_index")) {
        is_ignored = by.equal(labels, by.integer(*ignored));
        labels = by.select(is_ignored, by.integer(0), labels);
    }
    const Output picked =
        by.squeeze(by.make<ops::GatherElements>(logs, by.unsqueeze(labels, {1}), 1), {1});
    Samples samples{by.apply(UnaryFunction::negative, picked), {}};
    if (const Output weights = by.optional_input(2)) {
        samples.weight = by.gather(by.convert(weights, logs.element_type()), labels, 0);
        samples.loss = by.multiply(samples.loss, samples.weight);
    }
    if (is_ignored) {
        const Output zero = by.number(0, logs);
        samples.loss = by.select(is_ignored, zero, samples.loss);
        samples.weight =
            by.select(is_ignored, zero, samples.weight ? samples.weight : by.number(1, logs));
    }
    return samples;
}

// The mean is the sum of all losses over the sum of all weights.
Output loss_of(NodeContext& by, const Output& logs) {
    enum class Reduction { none, sum, mean };
    constexpr std::pair<std::string_view, Reduction> kReductions[] = {
        {"none", Reduction::none}, {"sum", Reduction::sum}, {"mean", Reduction::mean}};
    const Reduction reduction = by.choice("reduction", "mean", kReductions);
    const Samples samples = samples_of(by, logs);
    if (reduction == Reduction::none) return samples.loss;
    const auto over_all = [&](ReduceFunction function, const Output& value) {
        return by.reduce(function, by.reshape(value, {-1}), {0}, false);
    };
    if (reduction == Reduction::mean && !samples.weight) {
        return over_all(ReduceFunction::mean, samples.loss);
    }
    const Output sum = over_all(ReduceFunction::sum, samples.loss);
    if (reduction == Reduction::sum) return sum;
    return by.divide(sum, over_all(ReduceFunction::sum, samples.weight));
}

}  // namespace

std::vector<Output> convert_likelihood(NodeContext& by) {
    const ElementType type = NodeContext::known_type(by.input(0), "input");
    return {by.convert(loss_of(by, by.convert(by.input(0), arithmetic_type(type))), type)};
}

std::vector<Output> convert_cross_entropy(NodeContext& by) {
    const ElementType type = NodeContext::known_type(by.input(0), "scores");
    const Output logs = by.make<ops::LogSoftmax>(by.convert(by.input(0), arithmetic_type(type)), 1);
    const Output loss = by.convert(loss_of(by, logs), type);
    if (!by.has_output(1)) return {loss};
    return {loss, by.convert(logs, type)};
}

}  // namespace rondo::onnx
