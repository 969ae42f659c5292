// Converts com.microsoft's Attention, QAttention and MultiHeadAttention.
#include <optional>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/ops/attention/dot_product.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// What the three operators have in common. Keys that a mask hides get mask_filter_value added,
// those after a query -infinity.
class MicrosoftAttention {
public:
    // `typed` has the type of the results.
    MicrosoftAttention(NodeContext& by, const Output& typed)
        : by_(by), type_(NodeContext::floating_type(typed)), wide_(arithmetic_type(type_)) {
        heads_ = by.attribute_from("num_heads", 0, 1);
        filter_ = by.attribute("mask_filter_value", -10000.0F);
        is_causal_ = by.attribute("unidirectional", false);
        const float scale = by.attribute("scale", 0.0F);
        if (scale != 0) scale_ = scale;
        by.attributes().find_int("rotary_embedding_dim");  // read if do_rotary is 1
        for (const char* name : {"do_rotary", "past_present_share_buffer"}) {
            if (!by.attribute(name, false)) continue;
            throw UnsupportedError("attribute '" + std::string(name) +
                                   "' is 1, which is not supported");
        }
    }

    NodeContext& by() { return by_; }
    ElementType wide() const { return wide_; }
    std::int64_t heads() const { return heads_; }
    Output wide_input(std::size_t index) { return by_.convert(by_.input(index), wide_); }
    Output narrow(const Output& value) { return by_.convert(value, type_); }
    Output with_heads(const Output& x) { return split_heads(by_, x, heads_); }

    // The projections of Q, K and V, whose widths are `sizes`, or equal.
    std::vector<Output> parts_of(const Output& packed, const std::vector<std::int64_t>& sizes,
                                 std::int64_t axis) {
        if (sizes.empty()) return by_.split(packed, axis, 3);
        return by_.make_all<ops::VariadicSplit>(packed, by_.integer(axis), by_.ints(sizes));
    }

    // A mask of keys, and a bias of the scores; either may be empty.
    void add_mask(std::size_t mask, std::size_t bias) {
        if (by_.has_input(mask)) mask_ = by_.input(mask);
        if (by_.has_input(bias)) bias_ = wide_input(bias);
    }

    // q, k and v have heads, [B, N, S, H], and the wide type; `past` of them is in k and v. The
    // result: [B, S, N * H].
    Output attended(const Output& q, const Output& k, const Output& v, const Output& past) {
        ops::Attention attention{q, k, v};
        attention.scale = scale_;
        attention.bias = bias_;
        if (mask_) add_to(attention.bias, mask_bias(q, k));
        if (is_causal_) add_to(attention.bias, causal_bias(q, k, past));
        return narrow(merge_heads(by_, attend(by_, attention).y));
    }

private:
    void add_to(Output& sum, const Output& value) { sum = sum ? by_.add(sum, value) : value; }

    Output hiding(const Output& allowed, double otherwise) {
        return by_.select(allowed, by_.number(wide_, 0), by_.number(wide_, otherwise));
    }

    // As onnxruntime does it, the last query sees all keys, even if there are more keys than
    // queries.
    Output causal_bias(const Output& q, const Output& k, const Output& past) {
        const Output queries = by_.extent(q, 2), none = by_.number(wide_, 0);
        const ops::KeyWindow window{queries, by_.extent(k, 2), past, true};
        const Output bias = hiding(ops::visible_keys(by_, window), -ops::kInfinity);
        const Output rows = by_.unsqueeze(by_.range(queries), {1});
        const Output last = by_.subtract(queries, by_.integer(1));
        return by_.select(by_.equal(rows, last), none, bias);
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
        const Output allowed = by_.greater(mask_, zero);
        const bool by_query = shape.rank() == 3;
        return hiding(by_.unsqueeze(allowed, by_query ? Ints{1} : Ints{1, 2}), filter_);
    }

    // B ends of the keys that count, and perhaps B starts after them; 0 if there are none.
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
                by_.make<ops::Slice>(all, from, to, by_.ints({1}), by_.ints({0}));
            return by_.reshape(rows_part, {-1, 1, 1, 1});
        };
        const Output keys = by_.range(by_.extent(k, 2));
        return by_.both(by_.less(keys, part(by_.ints({0}), batch)),
                        by_.greater_equal(keys, part(batch, end)));
    }

    NodeContext& by_;
    ElementType type_;
    ElementType wide_;
    std::int64_t heads_ = 0;
    double filter_ = 0;
    bool is_causal_ = false;
    std::optional<double> scale_;
    Output mask_;
    Output bias_;
};

// From the projections of the input, [B, S, hidden sizes together], with their bias. `past` has
// keys and values, [2, B, N, P, H]; may be empty.
std::vector<Output> self_attention(MicrosoftAttention& attention, const Output& packed,
                                   const std::vector<std::int64_t>& sizes, const Output& past) {
    NodeContext& by = attention.by();
    auto parts = attention.parts_of(packed, sizes, 2);
    for (Output& part : parts) part = attention.with_heads(part);
    Output length;
    if (past) {
        NodeContext::check_shape(past, {2, Dimension(), Dimension(), Dimension(), Dimension()},
                                 "past");
        const Output wide = by.convert(past, attention.wide());
        length = by.extent(past, 3);
        for (const std::size_t i : {0, 1}) {
            const Output index = by.integer(static_cast<std::int64_t>(i));
            parts[i + 1] = after_past(by, by.gather(wide, index, 0), parts[i + 1]);
        }
    }
    std::vector<Output> outputs{attention.attended(parts[0], parts[1], parts[2], length)};
    if (by.has_output(1)) {
        outputs.push_back(attention.narrow(
            by.concat({by.unsqueeze(parts[1], {0}), by.unsqueeze(parts[2], {0})}, 0)));
    }
    return outputs;
}

Ints hidden_sizes(NodeContext& by) {
    const Ints sizes = by.attribute("qkv_hidden_sizes", Ints());
    if (sizes.empty() || sizes.size() == 3) return sizes;
    throw ModelError("attribute 'qkv_hidden_sizes' has " + counted(sizes.size(), "element") +
                     "; expected 3");
}

Output zero_point_or_zero(NodeContext& by, std::size_t input, const Output& of) {
    return by.has_input(input) ? by.input(input) : by.number(0, of);
}

// What MultiHeadAttention gets, in one of its forms, as [B, N, S, H].
class HeadInputs {
public:
    explicit HeadInputs(MicrosoftAttention& attention)
        : attention_(attention), by_(attention.by()) {}

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
        return NodeContext::rank_of(by_.input(input), 0, "input " + std::to_string(input));
    }

    // [B, S, N, parts, H].
    std::vector<Output> packed(const Output& x, std::int64_t parts) {
        if (by_.has_input(3)) {
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
        if (!by_.has_input(3)) return x;
        if (bias_.empty()) {
            const auto width = [&](std::size_t input) -> std::int64_t {
                const PartialShape& shape = by_.input(input).shape();
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

    MicrosoftAttention& attention_;
    NodeContext& by_;
    std::vector<Output> bias_;
};

}  // namespace

// Inputs: input, weights, bias, mask_index, past, attention_bias.
std::vector<Output> convert_microsoft_attention(NodeContext& by) {
    MicrosoftAttention attention(by, by.input(0));
    NodeContext::check_shape(by.input(0), PartialShape::of_rank(3), "input");
    Output packed = by.product(attention.wide_input(0), attention.wide_input(1));
    if (by.has_input(2)) packed = by.add(packed, attention.wide_input(2));
    attention.add_mask(3, 5);
    return self_attention(attention, packed, hidden_sizes(by), by.optional_input(4));
}

// Inputs: input, weight, bias, their scales, mask_index, their zero points, past.
std::vector<Output> convert_quantized_attention(NodeContext& by) {
    constexpr std::size_t kNone = 99;
    MicrosoftAttention attention(by, by.input(2));
    NodeContext::check_shape(by.input(0), PartialShape::of_rank(3), "input");
    const Output x = by.input(0), weights = by.input(1);
    const Output sums = by.make<ops::MatMulInteger>(x, weights, zero_point_or_zero(by, 6, x),
                                                    zero_point_or_zero(by, 7, weights));
    const Output scale = by.multiply(attention.wide_input(3), attention.wide_input(4));
    const Output packed =
        by.add(by.multiply(by.convert(sums, attention.wide()), scale), attention.wide_input(2));
    attention.add_mask(5, kNone);
    return self_attention(attention, packed, {}, by.optional_input(8));
}

// Inputs: query, key, value, bias, key_padding_mask, attention_bias, past_key, past_value.
std::vector<Output> convert_multi_head_attention(NodeContext& by) {
    MicrosoftAttention attention(by, by.input(0));
    if (by.has_output(3)) throw UnsupportedError("output 3 ('qk') is not supported");
    attention.add_mask(4, 5);
    auto parts = HeadInputs(attention).read();
    check_past(by, 6, 7);
    Output length;
    if (by.has_input(6)) {
        length = by.extent(by.input(6), 2);
        for (const std::size_t i : {1, 2}) {
            parts[i] = after_past(by, attention.wide_input(i + 5), parts[i]);
        }
    }
    std::vector<Output> outputs{attention.attended(parts[0], parts[1], parts[2], length)};
    for (std::size_t i = 1; i < 3; ++i) {
        outputs.push_back(by.has_output(i) ? attention.narrow(parts[i]) : Output());
    }
    return outputs;
}

}  // namespace rondo::onnx
