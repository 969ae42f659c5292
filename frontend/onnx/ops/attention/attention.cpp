// Converts Attention of ONNX.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/movement/pad.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/attention/converters.hpp"
#include "frontend/onnx/ops/attention/dot_product.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kPaddedMaskSince = 24;
constexpr std::int64_t kWindowSince = 25;
struct AttentionInput {
    enum Input : std::size_t { kQ, kK, kV, kMask, kPastKey, kPastValue, kLengths };
};

class Attention {
public:
    explicit Attention(NodeContext& context)
        : context_(context),
          by_(context),
          type_(NodeContext::known_type(context.input(AttentionInput::kQ), "Q")),
          wide_(arithmetic_type(type_)) {
        if (!is_floating(type_)) {
            throw UnsupportedError("Q is " + std::string(to_string(type_)) +
                                   "; expected a floating type");
        }
        check_ranks();
        check_agreement();
        check_cache();
    }

    std::vector<Output> make() {
        const Output key =
            with_past(heads_of(AttentionInput::kK, "kv_num_heads"), AttentionInput::kPastKey);
        const Output value =
            with_past(heads_of(AttentionInput::kV, "kv_num_heads"), AttentionInput::kPastValue);
        DotProductAttention attention{
            by_.convert(heads_of(AttentionInput::kQ, "q_num_heads"), wide_),
            by_.convert(key, wide_), by_.convert(value, wide_)};
        if (const auto scale = context_.attributes().find_float("scale")) attention.scale = *scale;
        attention.softcap = context_.attributes().find_float("softcap").value_or(0);
        attention.softmax_type = softmax_type();
        add_window(attention);
        add_mask(attention);
        const AttentionResults results = attend(by_, attention);
        const Output y = rank_ == 3 ? merge_heads(by_, results.y) : results.y;
        return {by_.result(by_.convert(y, type_)), key, value, middle_result(results)};
    }

private:
    void check_ranks() {
        const PartialShape& q = context_.input(AttentionInput::kQ).shape();
        if (!q.has_rank()) throw UnsupportedError("the rank of Q isn't known");
        rank_ = q.rank();
        if (rank_ != 3 && rank_ != 4) {
            throw ModelError("Q has shape " + to_string(q) + "; expected rank 3 or 4");
        }
        NodeContext::check_shape(context_.input(AttentionInput::kK), PartialShape::of_rank(rank_),
                                 "K");
        NodeContext::check_shape(context_.input(AttentionInput::kV), PartialShape::of_rank(rank_),
                                 "V");
    }

    // All have one batch, and keys and values the same heads.
    void check_agreement() {
        const PartialShape& q = context_.input(AttentionInput::kQ).shape();
        check_axis(AttentionInput::kK, "K", 0, q[0], "the batch of Q");
        check_axis(AttentionInput::kV, "V", 0, q[0], "the batch of Q");
        const PartialShape& k = context_.input(AttentionInput::kK).shape();
        if (rank_ == 4 && k.has_rank())
            check_axis(AttentionInput::kV, "V", 1, k[1], "the heads of K");
    }

    void check_axis(std::size_t input, const char* name, std::size_t axis,
                    const Dimension& expected, const char* what) {
        const PartialShape& shape = context_.input(input).shape();
        if (!shape.has_rank() || shape[axis].intersect(expected)) return;
        throw ModelError(std::string(name) + " has shape " + to_string(shape) + "; expected " +
                         to_string(expected) + " on axis " + std::to_string(axis) + ", " + what);
    }

    void check_cache() {
        if (context_.has_input(AttentionInput::kPastKey) !=
            context_.has_input(AttentionInput::kPastValue)) {
            throw ModelError("one of past_key and past_value is given; expected both or none");
        }
        if (context_.has_input(AttentionInput::kPastKey) &&
            context_.has_input(AttentionInput::kLengths)) {
            throw ModelError("both past_key and nonpad_kv_seqlen are given; expected one of them");
        }
    }

    // [B, H, S, D]; of rank 4 where the rank isn't known.
    Output heads_of(std::size_t input, const char* attribute) {
        const auto heads = context_.attributes().find_int(attribute);
        const Output x = context_.input(input);
        if (rank_ == 3) {
            if (!heads || *heads < 1) {
                throw ModelError("attribute '" + std::string(attribute) +
                                 (heads ? "' is " + std::to_string(*heads) : "' is missing") +
                                 "; expected 1 or more for inputs of rank 3");
            }
            return split_heads(by_, x, *heads);
        }
        if (!x.shape().has_rank()) {
            throw UnsupportedError("the rank of input " + std::to_string(input) + " isn't known");
        }
        const Dimension given = heads ? Dimension(*heads) : Dimension();
        if (x.shape()[1].intersect(given)) return x;
        throw ModelError("attribute '" + std::string(attribute) + "' is " + std::to_string(*heads) +
                         ", but the input has shape " + to_string(x.shape()));
    }

    Output with_past(const Output& x, std::size_t past) {
        if (!context_.has_input(past)) return x;
        return by_.concat({context_.input(past), x}, 2);
    }

    ElementType softmax_type() {
        const auto number = context_.attributes().find_int("softmax_precision");
        if (!number || *number == 0) return ElementType::dynamic;
        const bool is_known = *number == 1 || *number == 10 || *number == 11 || *number == 16;
        if (is_known) return element_type_from_onnx(static_cast<std::int32_t>(*number));
        throw ModelError("attribute 'softmax_precision' is " + std::to_string(*number) +
                         "; expected 1, 10, 11 or 16: a floating type");
    }

    std::int64_t bound_of(const char* attribute) {
        if (context_.opset() < kWindowSince) return -1;
        const std::int64_t bound = context_.attributes().find_int(attribute).value_or(-1);
        if (bound >= -1) return bound;
        throw ModelError("attribute '" + std::string(attribute) + "' is " + std::to_string(bound) +
                         "; expected -1 or more");
    }

    // Which keys count by their places, and by the lengths of what is no padding.
    void add_window(DotProductAttention& attention) {
        KeyWindow window{by_.extent(attention.q, 2), by_.extent(attention.k, 2)};
        window.causal = context_.attributes().flag("is_causal", false);
        window.left = bound_of("left_window_size");
        window.right = bound_of("right_window_size");
        Output is_valid;
        if (context_.has_input(AttentionInput::kPastKey)) {
            window.offset = by_.extent(context_.input(AttentionInput::kPastKey), 2);
        } else if (context_.has_input(AttentionInput::kLengths)) {
            const Output lengths =
                by_.reshape(context_.input(AttentionInput::kLengths), {-1, 1, 1, 1});
            window.offset = by_.subtract(lengths, window.queries);
            is_valid = by_.compare(ops::CompareFunction::less, by_.range(window.keys), lengths);
        }
        attention.allowed = both_allowed(by_, visible_keys(by_, window), is_valid);
        attention.has_empty_rows = is_valid || window.left >= 0 || window.right >= 0;
    }

    void add_mask(DotProductAttention& attention) {
        const Output mask = context_.optional_input(AttentionInput::kMask);
        if (!mask) return;
        attention.has_empty_rows = true;
        const PartialShape& shape = mask.shape();
        if (!shape.has_rank() || shape.rank() == 0) {
            throw UnsupportedError("attn_mask has shape " + to_string(shape) +
                                   "; expected a known rank of 1 or more");
        }
        const bool is_boolean = NodeContext::known_type(mask, "attn_mask") == ElementType::boolean;
        const Dimension have = shape[shape.rank() - 1], keys = attention.k.shape()[2];
        const bool broadcasts = have == Dimension(1) && context_.opset() < kPaddedMaskSince;
        const bool fits = broadcasts || (have.is_static() && have == keys);
        if (is_boolean && fits) {
            attention.allowed = both_allowed(by_, attention.allowed, mask);
            return;
        }
        const Output bias =
            is_boolean ? by_.select(mask, by_.number(wide_, 0), by_.number(wide_, -kInfinity))
                       : by_.convert(mask, wide_);
        attention.bias = fits ? bias : padded(bias, attention.k);
    }

    // With -infinity behind its last axis, up to the number of keys.
    Output padded(const Output& bias, const Output& key) {
        const std::size_t rank = bias.shape().rank();
        const Dimension have = bias.shape()[rank - 1], keys = key.shape()[2];
        Composer::Ints none(rank, 0), others(rank - 1, 0);
        Output end;
        if (have.is_static() && keys.is_static()) {
            others.push_back(std::max(keys.length() - have.length(), std::int64_t{0}));
            end = by_.ints(others);
        } else {
            const Output missing = by_.subtract(by_.extent(key, 2), by_.extent(bias, -1));
            const Output last = by_.unsqueeze(by_.maximum(missing, by_.integer(0)), {0});
            end = by_.concat({by_.ints(others), last}, 0);
        }
        const std::vector<Output> inputs{bias, by_.ints(none), end, by_.number(wide_, -kInfinity)};
        return context_.make<ops::Pad>(by_.role(), inputs, ops::PadMode::constant);
    }

    Output middle_result(const AttentionResults& results) {
        const std::int64_t mode =
            context_.attributes().find_int("qk_matmul_output_mode").value_or(0);
        if (mode < 0 || mode > 3) {
            throw ModelError("attribute 'qk_matmul_output_mode' is " + std::to_string(mode) +
                             "; expected 0 to 3");
        }
        if (!context_.has_output(3)) return {};
        const Output all[] = {results.scores, results.capped, results.biased, results.weights};
        return by_.convert(all[mode], type_);
    }

    NodeContext& context_;
    Composer by_;
    ElementType type_;
    ElementType wide_;
    std::size_t rank_ = 0;
};

}  // namespace

std::vector<Output> convert_attention(NodeContext& context) { return Attention(context).make(); }

}  // namespace rondo::onnx
