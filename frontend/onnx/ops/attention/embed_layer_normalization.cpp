// Converts EmbedLayerNormalization of com.microsoft: the sum of a word's, its place's and its
// segment's rows, normalised.
#include "core/ops/reduction/normalization.hpp"
#include "frontend/onnx/ops/attention/converters.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

struct EmbedInput {
    enum Input : std::size_t {
        kIds,
        kSegments,
        kWordRows,
        kPlaceRows,
        kSegmentRows,
        kGamma,
        kBeta,
        kMask,
        kPlaces,
    };
};

// How many words each row of the mask has; 0 without a mask.
Output word_counts(NodeContext& context, Composer& by) {
    const Output ids = context.input(EmbedInput::kIds);
    if (!context.has_input(EmbedInput::kMask)) {
        const Output batch = by.unsqueeze(by.extent(ids, 0), {0});
        return by.broadcast(by.number(ElementType::i32, 0), batch);
    }
    const Output mask = context.input(EmbedInput::kMask);
    const ElementType type = NodeContext::known_type(mask, "mask");
    const Output is_word = by.compare(ops::CompareFunction::equal, mask, by.number(type, 1));
    const Output counts = by.reduce(ops::ReduceFunction::sum, by.convert(is_word, type), {1});
    return by.reshape(counts, {-1});
}

}  // namespace

std::vector<Output> convert_embed_layer_normalization(NodeContext& context) {
    Composer by(context);
    const Output ids = context.input(EmbedInput::kIds);
    const ElementType type =
        NodeContext::known_type(context.input(EmbedInput::kWordRows), "word_embedding");
    const ElementType wide = arithmetic_type(type);
    NodeContext::check_shape(ids, PartialShape::of_rank(2), "input_ids");
    context.attributes().find_int("mask_index_type");  // repeats what the outputs say
    const auto rows = [&](std::size_t table, const Output& indices) {
        return by.convert(by.gather(context.input(table), indices, 0), wide);
    };
    const Output places = context.has_input(EmbedInput::kPlaces)
                              ? context.input(EmbedInput::kPlaces)
                              : by.range(by.extent(ids, 1));
    Output sum = by.add(rows(EmbedInput::kWordRows, ids), rows(EmbedInput::kPlaceRows, places));
    if (context.has_input(EmbedInput::kSegments)) {
        sum = by.add(sum, rows(EmbedInput::kSegmentRows, context.input(EmbedInput::kSegments)));
    } else if (context.has_input(EmbedInput::kSegmentRows)) {
        throw ModelError("segment_embedding is given, but no segment_ids");
    }
    const float epsilon = context.attributes().find_float("epsilon").value_or(1e-12F);
    const Output normal =
        context.make<ops::Mvn>(by.role(), sum, by.ints({-1}), ops::MvnAttributes{epsilon});
    const Output gamma = by.convert(context.input(EmbedInput::kGamma), wide);
    const Output beta = by.convert(context.input(EmbedInput::kBeta), wide);
    std::vector<Output> outputs{
        by.result(by.convert(by.add(by.multiply(normal, gamma), beta), type))};
    const Output counts = word_counts(context, by);
    outputs.push_back(context.has_output(1) ? counts : Output());
    outputs.push_back(context.has_output(2) ? by.convert(sum, type) : Output());
    return outputs;
}

}  // namespace rondo::onnx
