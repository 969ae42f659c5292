// Converts RotaryEmbedding of ONNX and of com.microsoft: pairs of features are turned by the angle
// of their place.
#include "frontend/onnx/ops/attention/dot_product.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

struct RotaryEmbedding {
    explicit RotaryEmbedding(NodeContext& by) : x(by.input(0)) {
        NodeContext::known_type(x, "X");
        const std::size_t rank = NodeContext::rank_of(x, 3);
        if (rank > 4)
            throw ModelError("X has shape " + to_string(x.shape()) + "; expected rank 3 or 4");
        is_flat = rank == 3;
        is_interleaved = by.attribute("interleaved", false);
        turned = by.attribute("rotary_embedding_dim", 0);
        if (turned < 0 || turned % 2 != 0) {
            throw ModelError("attribute 'rotary_embedding_dim' is " + std::to_string(turned) +
                             "; expected an even number, 0 or more");
        }
        heads = by.attribute_from("num_heads", 0, 0);
    }

    // `split`: [0, 0, heads, features] for X of rank 3.
    std::vector<Output> turn(NodeContext& by, const Output& cosines, const Output& sines,
                             const Ints& split) const {
        const ElementType type = x.element_type(), wide = arithmetic_type(type);
        const Rotation rotation{by.convert(cosines, wide), by.convert(sines, wide), is_flat ? 2 : 1,
                                is_interleaved};
        const Output data = by.convert(x, wide);
        Output result = rotated(by, is_flat ? by.reshape(data, split) : data, rotation, turned);
        if (is_flat) result = by.reshape(result, {0, 0, -1});
        return {by.convert(result, type)};
    }

    Output x;
    bool is_flat = false;
    bool is_interleaved = false;
    std::int64_t heads = 0;
    std::int64_t turned = 0;
};

}  // namespace

std::vector<Output> convert_rotary_embedding(NodeContext& by) {
    const RotaryEmbedding embedding(by);
    const Output places = by.optional_input(3);
    const auto angles = [&](std::size_t input) {
        return places ? by.gather(by.input(input), places, 0) : by.input(input);
    };
    const Output cosines = angles(1), sines = angles(2);
    if (embedding.is_flat && embedding.heads == 0) {
        throw ModelError("attribute 'num_heads' is missing; X has rank 3");
    }
    return embedding.turn(by, cosines, sines, {0, 0, embedding.heads, -1});
}

// Positions are one for the first place of all rows, or one for each place. Without num_heads a
// head has as many features as the angles say.
std::vector<Output> convert_microsoft_rotary_embedding(NodeContext& by) {
    const RotaryEmbedding embedding(by);
    if (by.attribute("is_packed_batching", false)) {
        throw UnsupportedError("attribute 'is_packed_batching' is 1, which is not supported");
    }
    if (by.attribute("scale", 1.0F) != 1) {
        throw UnsupportedError("attribute 'scale' isn't 1, which is not supported");
    }
    Output places = by.input(1);
    if (NodeContext::rank_of(places, 0, "position_ids") < 2) {
        const Output sequence = by.range(by.extent(by.input(0), embedding.is_flat ? 1 : 2));
        const Output first = by.convert(by.reshape(places, {1}), ElementType::i64);
        places = by.unsqueeze(by.add(first, sequence), {0});
    }
    const Output cosines = by.gather(by.input(2), places, 0);
    const Output sines = by.gather(by.input(3), places, 0);
    if (embedding.heads > 0 || !embedding.is_flat) {
        return embedding.turn(by, cosines, sines, {0, 0, embedding.heads, -1});
    }
    if (embedding.turned > 0) {
        throw ModelError("attribute 'num_heads' is missing; 'rotary_embedding_dim' is given");
    }
    return embedding.turn(by, cosines, sines, {0, 0, -1, 2 * known_angles(by.input(2))});
}

}  // namespace rondo::onnx
