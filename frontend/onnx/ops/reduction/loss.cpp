// Converts NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss. Types of 16 bits are computed in
// f32.
#include <optional>
#include <string>

#include "core/ops/indexing/gathers.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::CompareFunction;
using ops::UnaryFunction;

struct Samples {
    Output loss;    // of each sample
    Output weight;  // likewise; empty where all weigh 1
};

// logs: [batch, classes, ...]; labels: [batch, ...].
Samples samples_of(NodeContext& context, Composer& by, const Output& logs) {
    Output labels = by.convert(context.input(1), ElementType::i64);
    Output is_ignored;
    if (const auto ignored = context.attributes().find_int("ignore_index")) {
        const Output index = by.integer(*ignored);
        is_ignored = by.compare(CompareFunction::equal, labels, index);
        labels = by.select(is_ignored, by.integer(0), labels);
    }
    const Output picked = by.squeeze(
        context.make<ops::GatherElements>(by.role(), logs, by.unsqueeze(labels, {1}), 1), {1});
    Samples samples{by.apply(UnaryFunction::negative, picked), {}};
    if (const Output weights = context.optional_input(2)) {
        samples.weight =
            context.make<ops::Gather>(by.role(), by.wide(weights), labels, by.integer(0));
        samples.loss = by.multiply(samples.loss, samples.weight);
    }
    if (is_ignored) {
        samples.loss = by.select(is_ignored, by.number(0), samples.loss);
        samples.weight =
            by.select(is_ignored, by.number(0), samples.weight ? samples.weight : by.number(1));
    }
    return samples;
}

Output sum_of_all(NodeContext& context, Composer& by, const Output& value) {
    return by.sum_along(make_reshape(context, by.role(), value, {-1}), 0);
}

// The sum of all losses over the sum of all weights.
Output mean_of(NodeContext& context, Composer& by, const Samples& samples) {
    if (samples.weight) {
        return by.divide(sum_of_all(context, by, samples.loss),
                         sum_of_all(context, by, samples.weight));
    }
    const Output flat = make_reshape(context, by.role(), samples.loss, {-1});
    return context.make<ops::Reduce>(by.role(), ops::ReduceFunction::mean, flat, by.ints({0}),
                                     false);
}

Output loss_of(NodeContext& context, Composer& by, const Output& logs) {
    const std::string reduction = context.attributes().find_string("reduction").value_or("mean");
    if (reduction != "none" && reduction != "sum" && reduction != "mean") {
        throw ModelError("attribute 'reduction' is '" + reduction +
                         "'; expected none, sum or mean");
    }
    const Samples samples = samples_of(context, by, logs);
    if (reduction == "none") return samples.loss;
    if (reduction == "sum") return sum_of_all(context, by, samples.loss);
    return mean_of(context, by, samples);
}

}  // namespace

std::vector<Output> convert_likelihood(NodeContext& context) {
    const Output logs = context.input(0);
    const ElementType type = NodeContext::known_type(logs, "input");
    Composer by(context, arithmetic_type(type));
    return {by.convert(loss_of(context, by, by.wide(logs)), type)};
}

std::vector<Output> convert_cross_entropy(NodeContext& context) {
    const Output scores = context.input(0);
    const ElementType type = NodeContext::known_type(scores, "scores");
    Composer by(context, arithmetic_type(type));
    const Output logs = context.make<ops::LogSoftmax>("log_prob", by.wide(scores), 1);
    const Output loss = by.convert(loss_of(context, by, logs), type);
    if (!context.has_output(1)) return {loss};
    return {loss, by.convert(logs, type)};
}

}  // namespace rondo::onnx
