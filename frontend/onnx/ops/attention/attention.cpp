// Converts Attention of ONNX.
#include <algorithm>

#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/attention/dot_product.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kPaddedMaskSince = 24;
constexpr std::int64_t kWindowSince = 25;

class Attention {
public:
    explicit Attention(NodeContext& by)
        : by_(by),
          type_(NodeContext::floating_type(by.input(kQ), "Q")),
          wide_(arithmetic_type(type_)) {
        check_ranks();
        check_agreement();
        check_past(by, kPastKey, kPastValue);
        if (by.has_input(kPastKey) && by.has_input(kLengths)) {
            throw ModelError("both past_key and nonpad_kv_seqlen are given; expected one of them");
        }
    }

    std::vector<Output> make() {
        const Output key = with_past(heads_of(kK, "kv_num_heads"), kPastKey);
        const Output value = with_past(heads_of(kV, "kv_num_heads"), kPastValue);
        ops::Attention attention{by_.convert(heads_of(kQ, "q_num_heads"), wide_),
                                 by_.convert(key, wide_), by_.convert(value, wide_)};
        if (const auto scale = by_.attributes().find_float("scale")) attention.scale = *scale;
        attention.softcap = by_.attribute("softcap", 0.0F);
        attention.softmax_type = softmax_type();
        add_window(attention);
        add_mask(attention);
        const ops::AttentionResults results = attend(by_, attention);
        const Output y = rank_ == 3 ? merge_heads(by_, results.y) : results.y;
        return {by_.convert(y, type_), key, value, middle_result(results)};
    }

private:
    enum Input : std::size_t { kQ, kK, kV, kMask, kPastKey, kPastValue, kLengths };

    void check_ranks() {
        rank_ = NodeContext::rank_of(by_.input(kQ), 0, "Q");
        if (rank_ != 3 && rank_ != 4) {
            throw ModelError("Q has shape " + to_string(by_.input(kQ).shape()) +
                             "; expected rank 3 or 4");
        }
        NodeContext::check_shape(by_.input(kK), PartialShape::of_rank(rank_), "K");
        NodeContext::check_shape(by_.input(kV), PartialShape::of_rank(rank_), "V");
    }

    // All have one batch, and keys and values the same heads.
    void check_agreement() {
        const PartialShape& q = by_.input(kQ).shape();
        check_axis(kK, "K", 0, q[0], "the batch of Q");
        check_axis(kV, "V", 0, q[0], "the batch of Q");
        const PartialShape& k = by_.input(kK).shape();
        if (rank_ == 4 && k.has_rank()) check_axis(kV, "V", 1, k[1], "the heads of K");
    }

    void check_axis(std::size_t input, const char* name, std::size_t axis,
                    const Dimension& expected, const char* what) {
        const PartialShape& shape = by_.input(input).shape();
        if (!shape.has_rank() || shape[axis].intersect(expected)) return;
        throw ModelError(std::string(name) + " has shape " + to_string(shape) + "; expected " +
                         to_string(expected) + " on axis " + std::to_string(axis) + ", " + what);
    }

    // [B, H, S, D]; of rank 4 if the rank isn't known.
    Output heads_of(std::size_t input, const char* attribute) {
        const auto heads = by_.attributes().find_int(attribute);
        const Output x = by_.input(input);
        if (rank_ == 3) {
            if (!heads || *heads < 1) {
                throw ModelError("attribute '" + std::string(attribute) +
                                 (heads ? "' is " + std::to_string(*heads) : "' is missing") +
                                 "; expected 1 or more for inputs of rank 3");
            }
            return split_heads(by_, x, *heads);
        }
        NodeContext::rank_of(x, 0, "input " + std::to_string(input));
        const Dimension given = heads ? Dimension(*heads) : Dimension();
        if (x.shape()[1].intersect(given)) return x;
        throw ModelError("attribute '" + std::string(attribute) + "' is " + std::to_string(*heads) +
                         ", but the input has shape " + to_string(x.shape()));
    }

    Output with_past(const Output& x, std::size_t past) {
        return after_past(by_, by_.optional_input(past), x);
    }

    ElementType softmax_type() {
        const auto number = by_.attributes().find_int("softmax_precision");
        if (!number || *number == 0) return ElementType::dynamic;
        const bool is_known = *number == 1 || *number == 10 || *number == 11 || *number == 16;
        if (is_known) return element_type_from_onnx(static_cast<std::int32_t>(*number));
        throw ModelError("attribute 'softmax_precision' is " + std::to_string(*number) +
                         "; expected 1, 10, 11 or 16: a floating type");
    }

    std::int64_t bound_of(const char* attribute) {
        return by_.opset() < kWindowSince ? -1 : by_.attribute_from(attribute, -1, -1);
    }

    // Which keys count by their places, and by the lengths of what is no padding.
    void add_window(ops::Attention& attention) {
        ops::KeyWindow window{by_.extent(attention.q, 2), by_.extent(attention.k, 2)};
        window.causal = by_.attribute("is_causal", false);
        window.left = bound_of("left_window_size");
        window.right = bound_of("right_window_size");
        Output is_valid;
        if (by_.has_input(kPastKey)) {
            window.offset = by_.extent(by_.input(kPastKey), 2);
        } else if (by_.has_input(kLengths)) {
            const Output lengths = by_.reshape(by_.input(kLengths), {-1, 1, 1, 1});
            window.offset = by_.subtract(lengths, window.queries);
            is_valid = by_.less(by_.range(window.keys), lengths);
        }
        attention.allowed = ops::both_allowed(by_, ops::visible_keys(by_, window), is_valid);
        attention.has_empty_rows = is_valid || window.left >= 0 || window.right >= 0;
    }

    void add_mask(ops::Attention& attention) {
        const Output mask = by_.optional_input(kMask);
        if (!mask) return;
        attention.has_empty_rows = true;
        const PartialShape& shape = mask.shape();
        if (!shape.has_rank() || shape.rank() == 0) {
            throw UnsupportedError("attn_mask has shape " + to_string(shape) +
                                   "; expected a known rank of 1 or more");
        }
        const bool is_boolean = NodeContext::known_type(mask, "attn_mask") == ElementType::boolean;
        const Dimension have = shape[shape.rank() - 1], keys = attention.k.shape()[2];
        const bool broadcasts = have == Dimension(1) && by_.opset() < kPaddedMaskSince;
        const bool fits = broadcasts || (have.is_static() && have == keys);
        if (is_boolean && fits) {
            attention.allowed = ops::both_allowed(by_, attention.allowed, mask);
            return;
        }
        const Output bias = is_boolean ? by_.select(mask, by_.number(wide_, 0), hidden())
                                       : by_.convert(mask, wide_);
        attention.bias = fits ? bias : padded(bias, attention.k);
    }

    Output hidden() { return by_.number(wide_, -ops::kInfinity); }

    // With -infinity after its last axis, up to the number of keys.
    Output padded(const Output& bias, const Output& key) {
        const std::size_t rank = bias.shape().rank();
        const Dimension have = bias.shape()[rank - 1], keys = key.shape()[2];
        Ints others(rank - 1, 0);
        Output end;
        if (have.is_static() && keys.is_static()) {
            others.push_back(std::max(keys.length() - have.length(), std::int64_t{0}));
            end = by_.ints(others);
        } else {
            const Output missing = by_.subtract(by_.extent(key, 2), by_.extent(bias, -1));
            const Output last = by_.unsqueeze(by_.maximum(missing, by_.integer(0)), {0});
            end = by_.concat({by_.ints(others), last}, 0);
        }
        return by_.pad(bias, by_.ints(Ints(rank, 0)), end, hidden());
    }

    Output middle_result(const ops::AttentionResults& results) {
        const std::int64_t mode = by_.attribute("qk_matmul_output_mode", 0);
        if (mode < 0 || mode > 3) {
            throw ModelError("attribute 'qk_matmul_output_mode' is " + std::to_string(mode) +
                             "; expected 0 to 3");
        }
        if (!by_.has_output(3)) return {};
        const Output all[] = {results.scores, results.capped, results.biased, results.weights};
        return by_.convert(all[mode], type_);
    }

    NodeContext& by_;
    ElementType type_;
    ElementType wide_;
    std::size_t rank_ = 0;
};

}  // namespace

std::vector<Output> convert_attention(NodeContext& by) { return Attention(by).make(); }

}  // namespace rondo::onnx
