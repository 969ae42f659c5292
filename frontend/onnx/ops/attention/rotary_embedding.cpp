// Converts RotaryEmbedding of ONNX and of com.microsoft: pairs of features are turned by the angle
// of their place.
#include "frontend/onnx/ops/attention/rotary_embedding.hpp"

#include "frontend/onnx/ops/attention/converters.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// The cosines and sines of the places, [B, S, R / 2] each.
struct Angles {
    Output cosines;
    Output sines;
};

class RotaryEmbedding {
public:
    explicit RotaryEmbedding(NodeContext& context)
        : by_(context), x_(context.input(0)), type_(NodeContext::known_type(x_, "X")) {
        const std::size_t rank = rank_of_x(x_, 3);
        if (rank > 4)
            throw ModelError("X has shape " + to_string(x_.shape()) + "; expected rank 3 or 4");
        is_flat_ = rank == 3;
        is_interleaved_ = context.attributes().flag("interleaved", false);
        heads_ = context.attributes().find_int("num_heads").value_or(0);
        turned_ = context.attributes().find_int("rotary_embedding_dim").value_or(0);
        if (turned_ < 0 || turned_ % 2 != 0) {
            throw ModelError("attribute 'rotary_embedding_dim' is " + std::to_string(turned_) +
                             "; expected an even number, 0 or more");
        }
        if (heads_ < 0) {
            throw ModelError("attribute 'num_heads' is " + std::to_string(heads_) +
                             "; expected 0 or more");
        }
    }

    Composer& by() { return by_; }
    bool is_flat() const { return is_flat_; }
    std::int64_t heads() const { return heads_; }
    std::int64_t turned() const { return turned_; }

    // The angles at `places`, [B, S] or broadcast to that.
    Angles at_places(const Output& cosines, const Output& sines, const Output& places) {
        return {by_.gather(cosines, places, 0), by_.gather(sines, places, 0)};
    }

    // `split`: [0, 0, heads, features] for X of rank 3.
    std::vector<Output> turn(const Angles& angles, const Composer::Ints& split) {
        const Output wide = by_.convert(x_, arithmetic_type(type_));
        const Output x = is_flat_ ? by_.reshape(wide, split) : wide;
        Output result = turned_part(turned_ > 0 ? by_.slice(x, -1, 0, turned_) : x, angles);
        if (turned_ > 0) result = by_.concat({result, by_.slice(x, -1, turned_, kSliceEnd)}, -1);
        if (is_flat_) result = by_.reshape(result, {0, 0, -1});
        return {by_.result(by_.convert(result, type_))};
    }

private:
    // All features of x.
    Output turned_part(const Output& x, const Angles& angles) {
        const auto wide = [&](const Output& angle) {
            return by_.convert(angle, arithmetic_type(type_));
        };
        return rotated(
            by_, x, {wide(angles.cosines), wide(angles.sines), is_flat_ ? 2 : 1, is_interleaved_});
    }

    Composer by_;
    Output x_;
    ElementType type_;
    bool is_flat_ = false;
    bool is_interleaved_ = false;
    std::int64_t heads_ = 0;
    std::int64_t turned_ = 0;
};

// One for each pair; a single one must not serve all.
void check_angles(const Output& angle, const Output& x) {
    if (!angle.shape().has_rank() || !x.shape().has_rank()) return;
    const Dimension angles = angle.shape()[2], features = x.shape()[3];
    if (!angles.is_static() || !features.is_static()) return;
    if (2 * angles.length() == features.length()) return;
    throw ModelError("there are " + to_string(angles) + " angles for " + to_string(features) +
                     " features; expected one for each pair");
}

}  // namespace

// real = x1 cos - x2 sin, imaginary = x1 sin + x2 cos.
Output rotated(Composer& by, const Output& x, const Rotation& rotation) {
    const auto along_heads = [&](const Output& angle) {
        NodeContext::check_shape(angle, PartialShape::of_rank(3), "the angles");
        check_angles(angle, x);
        return by.unsqueeze(angle, {rotation.heads_axis});
    };
    const Output cosines = along_heads(rotation.cosines), sines = along_heads(rotation.sines);
    const auto halves = rotation.is_interleaved
                            ? std::vector<Output>{by.slice(x, -1, 0, kSliceEnd, 2),
                                                  by.slice(x, -1, 1, kSliceEnd, 2)}
                            : by.split(x, -1, 2);
    const Output real = by.subtract(by.multiply(halves[0], cosines), by.multiply(halves[1], sines));
    const Output imaginary = by.add(by.multiply(halves[0], sines), by.multiply(halves[1], cosines));
    if (!rotation.is_interleaved) return by.concat({real, imaginary}, -1);
    const Output pairs = by.concat({by.unsqueeze(real, {4}), by.unsqueeze(imaginary, {4})}, 4);
    return by.reshape(pairs, {0, 0, 0, -1});
}

std::vector<Output> convert_rotary_embedding(NodeContext& context) {
    RotaryEmbedding embedding(context);
    Angles angles{context.input(1), context.input(2)};
    if (const Output places = context.optional_input(3)) {
        angles = embedding.at_places(angles.cosines, angles.sines, places);
    }
    if (embedding.is_flat() && embedding.heads() == 0) {
        throw ModelError("attribute 'num_heads' is missing; X has rank 3");
    }
    return embedding.turn(angles, {0, 0, embedding.heads(), -1});
}

// Positions are one for the first place of all rows, or one for each place. Without num_heads a
// head has as many features as the angles say.
std::vector<Output> convert_microsoft_rotary_embedding(NodeContext& context) {
    RotaryEmbedding embedding(context);
    Composer& by = embedding.by();
    if (context.attributes().flag("is_packed_batching", false)) {
        throw UnsupportedError("attribute 'is_packed_batching' is 1, which is not supported");
    }
    if (context.attributes().find_float("scale").value_or(1) != 1) {
        throw UnsupportedError("attribute 'scale' isn't 1, which is not supported");
    }
    const Output positions = context.input(1), cosines = context.input(2);
    if (!positions.shape().has_rank()) {
        throw UnsupportedError("the rank of position_ids isn't known");
    }
    Output places = positions;
    if (positions.shape().rank() < 2) {
        const Output sequence = by.range(by.extent(context.input(0), embedding.is_flat() ? 1 : 2));
        const Output first = by.convert(by.reshape(positions, {1}), ElementType::i64);
        places = by.unsqueeze(by.add(first, sequence), {0});
    }
    const Angles angles = embedding.at_places(cosines, context.input(3), places);
    if (embedding.heads() > 0 || !embedding.is_flat()) {
        return embedding.turn(angles, {0, 0, embedding.heads(), -1});
    }
    const PartialShape& shape = cosines.shape();
    if (embedding.turned() > 0) {
        throw ModelError("attribute 'num_heads' is missing; 'rotary_embedding_dim' is given");
    }
    if (!shape.has_rank() || shape.rank() != 2 || !shape[1].is_static()) {
        throw UnsupportedError("cos_cache has shape " + to_string(shape) +
                               "; expected rank 2 and a known number of angles");
    }
    return embedding.turn(angles, {0, 0, -1, 2 * shape[1].length()});
}

}  // namespace rondo::onnx
