// Converts GroupQueryAttention of com.microsoft, of which each row of a batch has written its own
// number of keys into the cache, and TensorScatter, which writes rows into a cache at a place of
// each batch.
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "frontend/onnx/ops/attention/dot_product.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kMaxHeads = std::int64_t{1} << 31;

// The cache with x written along an axis, at places that broadcast to x.
Output written(NodeContext& by, const Output& cache, const Output& places, const Output& x,
               std::int64_t axis) {
    std::vector<Output> inputs{cache, by.broadcast(places, by.shape_of(x)), x, by.integer(axis)};
    return by.make<ops::ScatterElementsUpdate>(std::move(inputs), ops::ScatterReduction::none);
}

class GroupQueryAttention {
public:
    explicit GroupQueryAttention(NodeContext& by)
        : by_(by),
          type_(NodeContext::known_type(by.input(kQuery), "query")),
          wide_(arithmetic_type(type_)),
          heads_(heads_of("num_heads")),
          key_heads_(heads_of("kv_num_heads")) {
        NodeContext::check_shape(by.input(kQuery), PartialShape::of_rank(3), "query");
        for (const char* name : {"qk_output", "sliding_window_cache", "kv_cache_bit_width"}) {
            check_absent(name, by.attribute(name, 0) == 0);
        }
        check_absent("causal", by.attribute("causal", 1) == 1);
        check_absent("smooth_softmax", by.attribute("smooth_softmax", -1) <= 0);
        by.attributes().find_float("qk_norm_epsilon");  // of norms that are inputs
        for (const char* name : {"k_quant_type", "v_quant_type"}) {
            check_absent(name, by.attribute(name, "NONE") == "NONE");
        }
    }

    std::vector<Output> make() {
        std::vector<Output> parts = heads();
        find_places(parts[0]);
        const bool interleaved = by_.attribute("rotary_interleaved", false);
        if (by_.attribute("do_rotary", false)) {
            const Rotation rotation{angles_of(kCosines), angles_of(kSines), 1, interleaved};
            for (std::size_t i : {0, 1}) parts[i] = turned(parts[i], rotation);
        }
        const Output key = cached(parts[1], kPastKey), value = cached(parts[2], kPastValue);
        ops::Attention attention{by_.convert(parts[0], wide_), by_.convert(key, wide_),
                                 by_.convert(value, wide_)};
        const float scale = by_.attribute("scale", 0.0F);
        if (scale != 0) attention.scale = scale;
        attention.softcap = by_.attribute("softcap", 0.0F);
        ops::KeyWindow window{queries_, by_.extent(key, 2), first_, true};
        window.left = window_size() - 1;
        if (window.left < 0) window.left = -1;
        attention.allowed = ops::visible_keys(by_, window);
        if (by_.has_input(kBias)) attention.bias = bias(key);
        return {by_.convert(merge_heads(by_, attend(by_, attention).y), type_), key, value};
    }

private:
    enum Input : std::size_t {
        kQuery,
        kKey,
        kValue,
        kPastKey,
        kPastValue,
        kLengths,
        kTotal,
        kCosines,
        kSines,
        kPlaces,
        kBias,
    };

    std::int64_t heads_of(const char* attribute) {
        const std::int64_t heads = by_.attribute(attribute, 0);
        if (heads > 0 && heads <= kMaxHeads) return heads;
        throw ModelError("attribute '" + std::string(attribute) + "' is " + std::to_string(heads) +
                         "; expected 1 to " + std::to_string(kMaxHeads));
    }

    static void check_absent(const char* attribute, bool holds) {
        if (holds) return;
        throw UnsupportedError("attribute '" + std::string(attribute) +
                               "' has a value that is not supported");
    }

    std::int64_t window_size() {
        const std::int64_t size = by_.attribute("local_window_size", -1);
        if (size == -1 || size > 0) return size;
        throw ModelError("attribute 'local_window_size' is " + std::to_string(size) +
                         "; expected -1, or 1 or more");
    }

    // Q, K and V, [B, H, S, D] each; the query may hold all three.
    std::vector<Output> heads() {
        const Output query = by_.input(kQuery);
        if (by_.has_input(kKey)) {
            return {split_heads(by_, query, heads_), split_heads(by_, by_.input(kKey), key_heads_),
                    split_heads(by_, by_.input(kValue), key_heads_)};
        }
        const Output all = split_heads(by_, query, heads_ + 2 * key_heads_);
        return by_.make_all<ops::VariadicSplit>(all, by_.integer(1),
                                                by_.ints({heads_, key_heads_, key_heads_}));
    }

    // The places of the new keys in the cache: a prompt starts at 0, later ones end at the row's
    // length.
    void find_places(const Output& q) {
        queries_ = by_.extent(q, 2);
        total_ = by_.convert(by_.reshape(by_.input(kTotal), Ints{}), ElementType::i64);
        const Output lengths =
            by_.convert(by_.reshape(by_.input(kLengths), Ints{-1, 1, 1, 1}), ElementType::i64);
        const Output later = by_.subtract(by_.add(lengths, by_.integer(1)), queries_);
        first_ = by_.select(by_.equal(queries_, total_), by_.integer(0), later);
        places_ = by_.add(first_, by_.unsqueeze(by_.range(queries_), {1}));
    }

    Output angles_of(Input cache) {
        const Output places =
            by_.has_input(kPlaces) ? by_.input(kPlaces) : by_.reshape(places_, Ints{0, -1});
        return by_.convert(by_.gather(by_.input(cache), places, 0), wide_);
    }

    // The first features, as many as there are angles for.
    Output turned(const Output& x, const Rotation& rotation) {
        const std::int64_t features = 2 * known_angles(by_.input(kCosines));
        return by_.convert(rotated(by_, by_.convert(x, wide_), rotation, features), type_);
    }

    // [B, H, L, D]: the past, as long as all rows need it, with the new rows in their places.
    Output cached(const Output& x, std::size_t past) {
        Output cache;
        if (by_.has_input(past)) {
            const Output old = by_.input(past);
            NodeContext::check_shape(old, PartialShape::of_rank(4), "the past");
            cache = with_end(old, by_.subtract(total_, by_.extent(old, 2)), {0, 0}, {0});
        } else {
            const Output shape =
                joined_extents(by_, {by_.extent(x, 0), by_.extent(x, 1), total_, by_.extent(x, 3)});
            cache = by_.broadcast(by_.number(0, x), shape);
        }
        return written(by_, cache, places_, x, 2);
    }

    // Zeros at the end of one axis, if `missing` is above 0; `before`, `behind`: the other axes.
    Output with_end(const Output& x, const Output& missing, const Ints& before,
                    const Ints& behind) {
        const Output count = by_.unsqueeze(by_.maximum(missing, by_.integer(0)), {0});
        std::vector<Output> end{by_.ints(before), count};
        if (!behind.empty()) end.push_back(by_.ints(behind));
        const Ints none(before.size() + 1 + behind.size(), 0);
        return by_.pad(x, by_.ints(none), by_.concat(end, 0));
    }

    // The cache may be longer than what the bias is for.
    Output bias(const Output& key) {
        const Output given = by_.convert(by_.input(kBias), wide_);
        NodeContext::check_shape(given, PartialShape::of_rank(4), "attention_bias");
        const Output missing = by_.subtract(by_.extent(key, 2), by_.extent(given, 3));
        return with_end(given, missing, {0, 0, 0}, {});
    }

    NodeContext& by_;
    ElementType type_;
    ElementType wide_;
    std::int64_t heads_;
    std::int64_t key_heads_;
    Output queries_;
    Output total_;
    Output first_;   // [B, 1, 1, 1]
    Output places_;  // [B, 1, S, 1]
};

}  // namespace

std::vector<Output> convert_group_query_attention(NodeContext& by) {
    return GroupQueryAttention(by).make();
}

std::vector<Output> convert_tensor_scatter(NodeContext& by) {
    constexpr std::pair<std::string_view, bool> kIsCircular[] = {{"linear", false},
                                                                 {"circular", true}};
    const Output cache = by.input(0), update = by.input(1);
    const bool circular = by.choice("mode", "linear", kIsCircular);
    const std::size_t rank = NodeContext::rank_of(cache, 0, "past_cache");
    const std::size_t axis = by.normal_axis(by.attribute("axis", -2), cache.shape());
    if (axis == 0) {
        throw ModelError("attribute 'axis' names axis 0, the batch; expected another one");
    }
    NodeContext::check_shape(update, PartialShape::of_rank(rank), "update");
    const auto at = static_cast<std::int64_t>(axis);
    Output places = by.reshape(by.range(by.extent(update, at)), along_axis_pattern(rank - axis));
    if (const Output first = by.optional_input(2)) {
        places = by.add(by.reshape(first, along_axis_pattern(rank)), places);
    }
    if (circular) places = by.apply(BinaryFunction::floor_mod, places, by.extent(cache, at));
    return {written(by, cache, places, update, at)};
}

}  // namespace rondo::onnx
