// Converts GroupQueryAttention of com.microsoft: each row of a batch has written its own number of
// keys into the cache.
#include "core/ops/indexing/scatters.hpp"
#include "core/ops/movement/pad.hpp"
#include "core/ops/movement/split.hpp"
#include "frontend/onnx/ops/attention/converters.hpp"
#include "frontend/onnx/ops/attention/dot_product.hpp"
#include "frontend/onnx/ops/attention/rotary_embedding.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kMaxHeads = std::int64_t{1} << 31;

struct GroupQueryInput {
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
};

class GroupQueryAttention {
public:
    explicit GroupQueryAttention(NodeContext& context)
        : context_(context),
          by_(context),
          type_(NodeContext::known_type(context.input(GroupQueryInput::kQuery), "query")),
          wide_(arithmetic_type(type_)),
          heads_(heads_of("num_heads")),
          key_heads_(heads_of("kv_num_heads")) {
        NodeContext::check_shape(context.input(GroupQueryInput::kQuery), PartialShape::of_rank(3),
                                 "query");
        for (const char* name : {"qk_output", "sliding_window_cache", "kv_cache_bit_width"}) {
            check_absent(name, context.attributes().find_int(name).value_or(0) == 0);
        }
        check_absent("causal", context.attributes().find_int("causal").value_or(1) == 1);
        check_absent("smooth_softmax",
                     context.attributes().find_int("smooth_softmax").value_or(-1) <= 0);
        context.attributes().find_float("qk_norm_epsilon");  // of norms that are inputs
        for (const char* name : {"k_quant_type", "v_quant_type"}) {
            check_absent(name, context.attributes().find_string(name).value_or("NONE") == "NONE");
        }
    }

    std::vector<Output> make() {
        auto [q, k, v] = heads();
        find_places(q);
        const bool interleaved = context_.attributes().flag("rotary_interleaved", false);
        if (context_.attributes().flag("do_rotary", false)) {
            const Angles angles = angles_of_places();
            q = turned(q, angles, interleaved);
            k = turned(k, angles, interleaved);
        }
        const Output key = cached(k, GroupQueryInput::kPastKey),
                     value = cached(v, GroupQueryInput::kPastValue);
        DotProductAttention attention{by_.convert(q, wide_), by_.convert(key, wide_),
                                      by_.convert(value, wide_)};
        const float scale = context_.attributes().find_float("scale").value_or(0);
        if (scale != 0) attention.scale = static_cast<double>(scale);
        attention.softcap =
            static_cast<double>(context_.attributes().find_float("softcap").value_or(0));
        KeyWindow window{queries_, by_.extent(key, 2), first_, true};
        window.left = window_size() - 1;
        if (window.left < 0) window.left = -1;
        attention.allowed = visible_keys(by_, window);
        if (context_.has_input(GroupQueryInput::kBias)) attention.bias = bias(key);
        const Output y = merge_heads(by_, attend(by_, attention).y);
        return {by_.result(by_.convert(y, type_)), key, value};
    }

private:
    struct Heads {
        Output q, k, v;
    };
    struct Angles {
        Output cosines, sines;
    };

    std::int64_t heads_of(const char* attribute) {
        const std::int64_t heads = context_.attributes().find_int(attribute).value_or(0);
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
        const std::int64_t size = context_.attributes().find_int("local_window_size").value_or(-1);
        if (size == -1 || size > 0) return size;
        throw ModelError("attribute 'local_window_size' is " + std::to_string(size) +
                         "; expected -1, or 1 or more");
    }

    // [B, H, S, D] each; the query may hold all three.
    Heads heads() {
        const Output query = context_.input(GroupQueryInput::kQuery);
        if (context_.has_input(GroupQueryInput::kKey)) {
            return {split_heads(by_, query, heads_),
                    split_heads(by_, context_.input(GroupQueryInput::kKey), key_heads_),
                    split_heads(by_, context_.input(GroupQueryInput::kValue), key_heads_)};
        }
        const Output all = split_heads(by_, query, heads_ + 2 * key_heads_);
        const auto parts = outputs_of(context_.make<ops::VariadicSplit>(
            by_.role(), all, by_.integer(1), by_.ints({heads_, key_heads_, key_heads_})));
        return {parts[0], parts[1], parts[2]};
    }

    // The places of the new keys in the cache: a prompt starts at 0, later ones end at the row's
    // length.
    void find_places(const Output& q) {
        queries_ = by_.extent(q, 2);
        total_ = by_.convert(by_.reshape(context_.input(GroupQueryInput::kTotal), Composer::Ints{}),
                             ElementType::i64);
        const Output lengths = by_.convert(
            by_.reshape(context_.input(GroupQueryInput::kLengths), Composer::Ints{-1, 1, 1, 1}),
            ElementType::i64);
        const Output later = by_.subtract(by_.add(lengths, by_.integer(1)), queries_);
        const Output is_prompt = by_.compare(ops::CompareFunction::equal, queries_, total_);
        first_ = by_.select(is_prompt, by_.integer(0), later);
        places_ = by_.add(first_, by_.unsqueeze(by_.range(queries_), {1}));
    }

    Angles angles_of_places() {
        const Output places = context_.has_input(GroupQueryInput::kPlaces)
                                  ? context_.input(GroupQueryInput::kPlaces)
                                  : by_.reshape(places_, Composer::Ints{0, -1});
        return {
            by_.convert(by_.gather(context_.input(GroupQueryInput::kCosines), places, 0), wide_),
            by_.convert(by_.gather(context_.input(GroupQueryInput::kSines), places, 0), wide_)};
    }

    // The first features, as many as there are angles for.
    Output turned(const Output& x, const Angles& angles, bool interleaved) {
        const PartialShape& shape = context_.input(GroupQueryInput::kCosines).shape();
        if (!shape.has_rank() || shape.rank() != 2 || !shape[1].is_static()) {
            throw UnsupportedError("cos_cache has shape " + to_string(shape) +
                                   "; expected rank 2 and a known number of angles");
        }
        const std::int64_t features = 2 * shape[1].length();
        const Output wide = by_.convert(x, wide_);
        const Output part = rotated(by_, by_.slice(wide, -1, 0, features),
                                    {angles.cosines, angles.sines, 1, interleaved});
        return by_.convert(by_.concat({part, by_.slice(wide, -1, features, kSliceEnd)}, -1), type_);
    }

    // [B, H, L, D]: the past, as long as all rows need it, with the new rows in their places.
    Output cached(const Output& x, std::size_t past) {
        const Output length = by_.unsqueeze(total_, {0});
        Output cache;
        if (context_.has_input(past)) {
            const Output old = context_.input(past);
            NodeContext::check_shape(old, PartialShape::of_rank(4), "the past");
            cache = with_end(old, by_.subtract(total_, by_.extent(old, 2)), {0, 0}, {0});
        } else {
            const auto extent = [&](std::int64_t axis) {
                return by_.unsqueeze(by_.extent(x, axis), {0});
            };
            cache = by_.broadcast(by_.number(x.element_type(), 0),
                                  by_.concat({extent(0), extent(1), length, extent(3)}, 0));
        }
        const Output indices = by_.broadcast(places_, make_shape_of(context_, by_.role(), x));
        std::vector<Output> inputs{cache, indices, x, by_.integer(2)};
        return context_.make<ops::ScatterElementsUpdate>(by_.role(), std::move(inputs),
                                                         ops::ScatterReduction::none);
    }

    // Zeros behind one axis, if `missing` is above 0; `before` and `behind` stand for the others.
    Output with_end(const Output& x, const Output& missing, const Composer::Ints& before,
                    const Composer::Ints& behind) {
        const Output count = by_.unsqueeze(by_.maximum(missing, by_.integer(0)), {0});
        std::vector<Output> end{by_.ints(before), count};
        if (!behind.empty()) end.push_back(by_.ints(behind));
        const Composer::Ints none(before.size() + 1 + behind.size(), 0);
        const std::vector<Output> inputs{x, by_.ints(none), by_.concat(end, 0)};
        return context_.make<ops::Pad>(by_.role(), inputs, ops::PadMode::constant);
    }

    // The cache may be longer than what the bias is for.
    Output bias(const Output& key) {
        const Output given = by_.convert(context_.input(GroupQueryInput::kBias), wide_);
        NodeContext::check_shape(given, PartialShape::of_rank(4), "attention_bias");
        const Output missing = by_.subtract(by_.extent(key, 2), by_.extent(given, 3));
        return with_end(given, missing, {0, 0, 0}, {});
    }

    NodeContext& context_;
    Composer by_;
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

std::vector<Output> convert_group_query_attention(NodeContext& context) {
    return GroupQueryAttention(context).make();
}

}  // namespace rondo::onnx
