// Converts EmbedLayerNormalization of com.microsoft: the sum of a word's, its place's and its
// segment's rows, normalised.
#include "core/ops/compositions.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
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
Output word_counts(NodeContext& by) {
    const Output mask = by.optional_input(EmbedInput::kMask);
    if (!mask) {
        const Output batch = by.unsqueeze(by.extent(by.input(EmbedInput::kIds), 0), {0});
        return by.broadcast(by.number(ElementType::i32, 0), batch);
    }
    const ElementType type = NodeContext::known_type(mask, "mask");
    const Output is_word = by.equal(mask, by.number(type, 1));
    const Output counts = by.reduce(ReduceFunction::sum, by.convert(is_word, type), {1});
    return by.reshape(counts, {-1});
}

}  // namespace

std::vector<Output> convert_embed_layer_normalization(NodeContext& by) {
    const Output ids = by.input(EmbedInput::kIds);
    const ElementType type =
        NodeContext::known_type(by.input(EmbedInput::kWordRows), "word_embedding");
    const ElementType wide = arithmetic_type(type);
    NodeContext::check_shape(ids, PartialShape::of_rank(2), "input_ids");
    by.attributes().find_int("mask_index_type");  // repeats what the outputs say
    const auto rows = [&](std::size_t table, const Output& indices) {
        return by.convert(by.gather(by.input(table), indices, 0), wide);
    };
    const Output places = by.has_input(EmbedInput::kPlaces) ? by.input(EmbedInput::kPlaces)
                                                            : by.range(by.extent(ids, 1));
    Output sum = by.add(rows(EmbedInput::kWordRows, ids), rows(EmbedInput::kPlaceRows, places));
    if (by.has_input(EmbedInput::kSegments)) {
        sum = by.add(sum, rows(EmbedInput::kSegmentRows, by.input(EmbedInput::kSegments)));
    } else if (by.has_input(EmbedInput::kSegmentRows)) {
        throw ModelError("segment_embedding is given, but no segment_ids");
    }
    const ops::MvnAttributes attributes{by.attribute("epsilon", 1e-12F)};
    const Output normal = by.make<ops::Mvn>(sum, by.ints({-1}), attributes);
    const Output y = ops::affine(by, normal, by.convert(by.input(EmbedInput::kGamma), wide),
                                 by.convert(by.input(EmbedInput::kBeta), wide));
    const Output counts = word_counts(by);
    return {by.convert(y, type), by.has_output(1) ? counts : Output(),
            by.has_output(2) ? by.convert(sum, type) : Output()};
}

}  // namespace rondo::onnx
