// Converts com.microsoft's Attention, QAttention and MultiHeadAttention.
#include <limits>

#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/ops/attention/converters.hpp"
#include "frontend/onnx/ops/attention/dot_product.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// What the three operators have in common. Keys that a mask hides get mask_filter_value added,
// those behind a query -infinity.
class MicrosoftAttention {
public:
    explicit MicrosoftAttention(NodeContext& context, ElementType type)
        : context_(context), by_(context), type_(type), wide_(arithmetic_type(type)) {
        if (!is_floating(type)) {
            throw UnsupportedError("the input is " + std::string(to_string(type)) +
                                   "; expected a floating type");
        }
        heads_ = context.attributes().find_int("num_heads").value_or(0);
        if (heads_ < 1) {
            throw ModelError("attribute 'num_heads' is " + std::to_string(heads_) +
                             "; expected 1 or more");
        }
        filter_ = context.attributes().find_float("mask_filter_value").value_or(-10000.0F);
        is_causal_ = context.attributes().flag("unidirectional", false);
        const float scale = context.attributes().find_float("scale").value_or(0);
        if (scale != 0) scale_ = static_cast<double>(scale);
        context.attributes().find_int("rotary_embedding_dim");  // read where do_rotary is 1
        for (const char* name : {"do_rotary", "past_present_share_buffer"}) {
            if (!context.attributes().flag(name, false)) continue;
            throw UnsupportedError("attribute '" + std::string(name) +
                                   "' is 1, which is not supported");
        }
    }

    Composer& by() { return by_; }
    ElementType type() const { return type_; }
    ElementType wide() const { return wide_; }
    std::int64_t heads() const { return heads_; }
    Output wide_input(std::size_t index) { return by_.convert(context_.input(index), wide_); }
    Output narrow(const Output& value) { return by_.convert(value, type_); }
    Output with_heads(const Output& x) { return split_heads(by_, x, heads_); }

    // The projections of Q, K and V, whose widths are `sizes`, or equal.
    std::vector<Output> parts_of(const Output& packed, const std::vector<std::int64_t>& sizes,
                                 std::int64_t axis) {
        if (sizes.empty()) return by_.split(packed, axis, 3);
        return outputs_of(context_.make<ops::VariadicSplit>(by_.role(), packed, by_.integer(axis),
                                                            by_.ints(sizes)));
    }

    // A mask of keys, and a bias of the scores; either may be empty.
    void add_mask(std::size_t mask, std::size_t bias) {
        if (context_.has_input(mask)) mask_ = context_.input(mask);
        if (context_.has_input(bias)) bias_ = wide_input(bias);
    }

    // q, k and v have heads, [B, N, S, H], and the wide type; `past` of them is in k and v. The
    // result: [B, S, N * H].
    Output attended(const Output& q, const Output& k, const Output& v, const Output& past) {
        DotProductAttention attention{q, k, v};
        attention.scale = scale_;
        attention.bias = bias_;
        if (mask_) add_to(attention.bias, mask_bias(q, k));
        if (is_causal_) add_to(attention.bias, causal_bias(q, k, past));
        return by_.result(narrow(merge_heads(by_, attend(by_, attention).y)));
    }

private:
    void add_to(Output& sum, const Output& value) { sum = sum ? by_.add(sum, value) : value; }

    Output hiding(const Output& allowed, double otherwise) {
        return by_.select(allowed, by_.number(wide_, 0), by_.number(wide_, otherwise));
    }

    // As onnxruntime does it, the last query sees all keys, even where there are more keys than
    // queries.
    Output causal_bias(const Output& q, const Output& k, const Output& past) {
        const Output queries = by_.extent(q, 2), none = by_.number(wide_, 0);
        const KeyWindow window{queries, by_.extent(k, 2), past, true};
        const Output bias = hiding(visible_keys(by_, window), -kInfinity);
        const Output rows = by_.unsqueeze(by_.range(queries), {1});
        const Output last = by_.subtract(queries, by_.integer(1));
        return by_.select(by_.compare(ops::CompareFunction::equal, rows, last), none, bias);
    }

    // To be added to the scores [B, N, S, T].
    Output mask_bias(const Output& q, const Output& k) {
        const PartialShape& shape = mask_.shape();
        if (!shape.has_rank() || shape.rank() == 0 || shape.rank() > 3) {
            throw UnsupportedError("the mask has shape " + to_string(shape) +
                                   "; expected a known rank of 1 to 3");
        }
        if (shape.rank() == 1) return hiding(mask_by_ends(q, k), filter_);
        const Output zero = by_.number(NodeContext::known_type(mask_, "the mask"), 0);
        const Output allowed = by_.compare(ops::CompareFunction::greater, mask_, zero);
        const bool by_query = shape.rank() == 3;
        return hiding(by_.unsqueeze(allowed, by_query ? Composer::Ints{1} : Composer::Ints{1, 2}),
                      filter_);
    }

    // B ends of the keys that count, and perhaps B starts behind them; 0 where there are none.
    Output mask_by_ends(const Output& q, const Output& k) {
        const Dimension rows = q.shape()[0], given = mask_.shape()[0];
        if (rows.is_static() && given.is_static() && given.length() != rows.length() &&
            given.length() != 2 * rows.length()) {
            throw UnsupportedError("the mask has " + to_string(given) +
                                   " elements for a batch of " + to_string(rows) +
                                   "; expected one or two for each row");
        }
        const Output wide = by_.convert(mask_, ElementType::i64);
        const Output batch = by_.unsqueeze(by_.extent(q, 0), {0});
        const Output all = by_.concat({wide, by_.broadcast(by_.integer(0), batch)}, 0);
        const Output end = by_.add(batch, batch);
        const auto part = [&](const Output& from, const Output& to) {
            const Output rows_part =
                context_.make<ops::Slice>(by_.role(), all, from, to, by_.ints({1}), by_.ints({0}));
            return by_.reshape(rows_part, {-1, 1, 1, 1});
        };
        const Output keys = by_.range(by_.extent(k, 2));
        return by_.both(by_.compare(ops::CompareFunction::less, keys, part(by_.ints({0}), batch)),
                        by_.compare(ops::CompareFunction::greater_equal, keys, part(batch, end)));
    }

    NodeContext& context_;
    Composer by_;
    ElementType type_;
    ElementType wide_;
    std::int64_t heads_ = 0;
    double filter_ = 0;
    bool is_causal_ = false;
    std::optional<double> scale_;
    Output mask_;
    Output bias_;
};

// Keys or values behind those of the past, [2, B, N, P, H].
struct Cache {
    Output key;
    Output value;
    Output length;   // of the past, a scalar; may be empty
    Output present;  // like past, with all
};

Cache with_past(MicrosoftAttention& attention, const Output& key, const Output& value,
                const Output& past) {
    Composer& by = attention.by();
    Cache cache{key, value, {}, {}};
    if (past) {
        NodeContext::check_shape(past, {2, Dimension(), Dimension(), Dimension(), Dimension()},
                                 "past");
        const Output wide = by.convert(past, attention.wide());
        cache.length = by.extent(past, 3);
        cache.key = by.concat({by.gather(wide, by.integer(0), 0), key}, 2);
        cache.value = by.concat({by.gather(wide, by.integer(1), 0), value}, 2);
    }
    return cache;
}

// From the projections of the input, [B, S, hidden sizes together], with their bias.
std::vector<Output> self_attention(NodeContext& context, MicrosoftAttention& attention,
                                   const Output& packed, const std::vector<std::int64_t>& sizes,
                                   const Output& past) {
    auto parts = attention.parts_of(packed, sizes, 2);
    for (Output& part : parts) part = attention.with_heads(part);
    const Cache cache = with_past(attention, parts[1], parts[2], past);
    std::vector<Output> outputs{attention.attended(parts[0], cache.key, cache.value, cache.length)};
    if (context.has_output(1)) {
        Composer& by = attention.by();
        outputs.push_back(attention.narrow(
            by.concat({by.unsqueeze(cache.key, {0}), by.unsqueeze(cache.value, {0})}, 0)));
    }
    return outputs;
}

std::vector<std::int64_t> hidden_sizes(NodeContext& context) {
    auto sizes = context.attributes().find_ints("qkv_hidden_sizes").value_or(Composer::Ints{});
    if (sizes.empty() || sizes.size() == 3) return sizes;
    throw ModelError("attribute 'qkv_hidden_sizes' has " + counted(sizes.size(), "element") +
                     "; expected 3");
}

Output zero_point(Composer& by, NodeContext& context, std::size_t input, const Output& of) {
    return context.has_input(input) ? context.input(input) : by.number(of.element_type(), 0);
}

// What MultiHeadAttention gets, in one of its forms, as [B, N, S, H].
class HeadInputs {
public:
    HeadInputs(NodeContext& context, MicrosoftAttention& attention)
        : context_(context), attention_(attention), by_(attention.by()) {}

    // Q, K and V.
    std::vector<Output> read() {
        const std::size_t rank = rank_of(0);
        if (rank == 5) return packed(attention_.wide_input(0), 3);
        const Output q = attention_.with_heads(biased(attention_.wide_input(0), 0));
        if (rank_of(1) == 5) {
            auto parts = packed(attention_.wide_input(1), 2);
            return {q, parts[0], parts[1]};
        }
        // Keys and values of rank 4 come from an earlier node, which has added their bias.
        if (rank_of(1) == 4) return {q, attention_.wide_input(1), attention_.wide_input(2)};
        return {q, attention_.with_heads(biased(attention_.wide_input(1), 1)),
                attention_.with_heads(biased(attention_.wide_input(2), 2))};
    }

private:
    std::size_t rank_of(std::size_t input) {
        const PartialShape& shape = context_.input(input).shape();
        if (!shape.has_rank()) {
            throw UnsupportedError("the rank of input " + std::to_string(input) + " isn't known");
        }
        return shape.rank();
    }

    // [B, S, N, parts, H].
    std::vector<Output> packed(const Output& x, std::int64_t parts) {
        if (context_.has_input(3)) {
            throw UnsupportedError("a bias of packed heads is not supported");
        }
        std::vector<Output> heads = by_.split(x, 3, parts);
        for (Output& head : heads) {
            const Output flat = by_.reshape(head, {0, 0, attention_.heads(), -1});
            head = by_.transpose(flat, {0, 2, 1, 3});
        }
        return heads;
    }

    // With its part of the bias, which has those of Q, K and V one after another.
    Output biased(const Output& x, std::size_t part) {
        if (!context_.has_input(3)) return x;
        if (bias_.empty()) {
            const auto width = [&](std::size_t input) -> std::int64_t {
                const PartialShape& shape = context_.input(input).shape();
                if (shape.has_rank() && shape.rank() == 3 && shape[2].is_static()) {
                    return shape[2].length();
                }
                return -1;
            };
            const std::int64_t q = width(0);
            const bool has_keys = rank_of(1) == 3 && rank_of(2) == 3;
            const std::int64_t v = has_keys ? width(2) : q;
            if (q < 0 || v < 0) {
                throw UnsupportedError("the last axis of query and value isn't known");
            }
            bias_ = attention_.parts_of(attention_.wide_input(3), {q, q, -1}, 0);
        }
        return by_.add(x, bias_[part]);
    }

    NodeContext& context_;
    MicrosoftAttention& attention_;
    Composer& by_;
    std::vector<Output> bias_;
};

}  // namespace

// Inputs: input, weights, bias, mask_index, past, attention_bias.
std::vector<Output> convert_microsoft_attention(NodeContext& context) {
    MicrosoftAttention attention(context, NodeContext::known_type(context.input(0), "input"));
    NodeContext::check_shape(context.input(0), PartialShape::of_rank(3), "input");
    Composer& by = attention.by();
    Output packed = by.product(attention.wide_input(0), attention.wide_input(1));
    if (context.has_input(2)) packed = by.add(packed, attention.wide_input(2));
    attention.add_mask(3, 5);
    return self_attention(context, attention, packed, hidden_sizes(context),
                          context.optional_input(4));
}

// Inputs: input, weight, bias, their scales, mask_index, their zero points, past.
std::vector<Output> convert_quantized_attention(NodeContext& context) {
    constexpr std::size_t kNone = 99;
    MicrosoftAttention attention(context, NodeContext::known_type(context.input(2), "bias"));
    NodeContext::check_shape(context.input(0), PartialShape::of_rank(3), "input");
    Composer& by = attention.by();
    const Output x = context.input(0), weights = context.input(1);
    const Output sums = context.make<ops::MatMulInteger>(
        by.role(), x, weights, zero_point(by, context, 6, x), zero_point(by, context, 7, weights));
    const Output scale = by.multiply(attention.wide_input(3), attention.wide_input(4));
    const Output packed =
        by.add(by.multiply(by.convert(sums, attention.wide()), scale), attention.wide_input(2));
    attention.add_mask(5, kNone);
    return self_attention(context, attention, packed, {}, context.optional_input(8));
}

// Inputs: query, key, value, bias, key_padding_mask, attention_bias, past_key, past_value.
std::vector<Output> convert_multi_head_attention(NodeContext& context) {
    MicrosoftAttention attention(context, NodeContext::known_type(context.input(0), "query"));
    if (context.has_output(3)) {
        throw UnsupportedError("output 3 ('qk') is not supported");
    }
    attention.add_mask(4, 5);
    auto parts = HeadInputs(context, attention).read();
    Composer& by = attention.by();
    Output length;
    if (context.has_input(6) != context.has_input(7)) {
        throw ModelError("one of past_key and past_value is given; expected both or none");
    }
    if (context.has_input(6)) {
        length = by.extent(context.input(6), 2);
        parts[1] = by.concat({attention.wide_input(6), parts[1]}, 2);
        parts[2] = by.concat({attention.wide_input(7), parts[2]}, 2);
    }
    std::vector<Output> outputs{attention.attended(parts[0], parts[1], parts[2], length)};
    for (std::size_t i = 1; i < 3; ++i) {
        outputs.push_back(context.has_output(i) ? attention.narrow(parts[i]) : Output());
    }
    return outputs;
}

}  // namespace rondo::onnx
