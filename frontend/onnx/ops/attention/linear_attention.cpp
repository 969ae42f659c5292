// Converts LinearAttention: a recurrence over a matrix of state for each head.
#include <cmath>

#include "core/ops/control/loop.hpp"
#include "core/ops/source/parameter.hpp"
#include "frontend/onnx/ops/attention/converters.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/composer.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr auto f32 = ElementType::f32;

struct LinearInput {
    enum Input : std::size_t { kQuery, kKey, kValue, kState, kDecay, kBeta };
};

// The body of the loop over time. H heads of keys are shared by G queries each.
class StepGraph {
public:
    StepGraph(NodeContext& context, Composer& by) : context_(context), by_(by) {}

    // A value with time on axis 1: [B, 1, ...] in each step. An empty one stays empty.
    Output step_of(const Output& value) {
        if (!value) return {};
        PartialShape shape = value.shape();
        shape[1] = 1;
        return add(value, shape, ops::PartRange{1, 0, 1, 1, -1}, {});
    }
    // A value that each step hands on as result 0.
    Output carried(const Output& value) { return add(value, value.shape(), {}, 0); }

    // Result 1 of all steps, joined along axis 1, then the last result 0.
    std::vector<Output> finish(const Output& state, const Output& output) {
        std::vector<NodePtr> results{context_.make<ops::Result>("step/state", state),
                                     context_.make<ops::Result>("step/output", output)};
        ports_.outputs = {{0, 1, ops::PartRange{1, 0, 1, 1, -1}}, {1, 0, {}}};
        const auto graph = std::make_shared<Graph>("step", parameters_, std::move(results));
        return outputs_of(context_.make<ops::TensorIterator>(by_.role(), inputs_, graph, ports_));
    }

private:
    Output add(const Output& value, const PartialShape& shape, std::optional<ops::PartRange> range,
               std::optional<std::size_t> back_edge) {
        ports_.inputs.push_back({inputs_.size(), parameters_.size(), range, back_edge});
        inputs_.push_back(value);
        parameters_.push_back(context_.make<ops::Parameter>("step/input", f32, shape));
        return parameters_.back();
    }

    NodeContext& context_;
    Composer& by_;
    std::vector<Output> inputs_;
    std::vector<NodePtr> parameters_;
    ops::BodyPorts ports_;
};

class LinearAttention {
public:
    explicit LinearAttention(NodeContext& context)
        : context_(context),
          by_(context),
          type_(NodeContext::known_type(context.input(0), "query")) {
        const std::string rule =
            context.attributes().find_string("update_rule").value_or("gated_delta");
        decays_ = rule == "gated" || rule == "gated_delta";
        corrects_ = rule == "delta" || rule == "gated_delta";
        if (!decays_ && !corrects_ && rule != "linear") {
            throw ModelError("attribute 'update_rule' is '" + rule +
                             "'; expected linear, gated, delta or gated_delta");
        }
        q_heads_ = heads_of("q_num_heads");
        heads_ = heads_of("kv_num_heads");
        if (q_heads_ % heads_ != 0) {
            throw ModelError("attribute 'q_num_heads' is " + std::to_string(q_heads_) +
                             " and 'kv_num_heads' " + std::to_string(heads_) +
                             "; expected a multiple");
        }
        context.attributes().find_int("chunk_size");  // how to compute it, not what
    }

    std::vector<Output> make() {
        const Output key = per_head(LinearInput::kKey, {0, 0, heads_, -1});
        const Output value = per_head(LinearInput::kValue, {0, 0, heads_, -1});
        const Output query = scaled_query();
        const Output decay = decays_ ? per_head(LinearInput::kDecay, {0, 0, heads_, -1}) : Output();
        const Output beta = corrects_ ? per_head(LinearInput::kBeta, {0, 0, -1, 1}) : Output();
        const Output start = context_.has_input(LinearInput::kState)
                                 ? by_.convert(context_.input(LinearInput::kState), f32)
                                 : zeros(key, value);
        const ElementType state_type =
            context_.has_input(LinearInput::kState)
                ? NodeContext::known_type(context_.input(LinearInput::kState), "past_state")
                : type_;
        StepGraph step(context_, by_);
        const Output state = next_state(step.carried(start), step.step_of(key), step.step_of(value),
                                        step.step_of(decay), step.step_of(beta));
        const Output queries = by_.reshape(step.step_of(query), {0, heads_, q_heads_ / heads_, -1});
        const Output read = by_.reshape(by_.product(queries, state), {0, 1, -1});
        const auto results = step.finish(state, read);
        return {by_.result(by_.convert(results[0], type_)), by_.convert(results[1], state_type)};
    }

private:
    std::int64_t heads_of(const char* attribute) {
        const std::int64_t heads = context_.attributes().find_int(attribute).value_or(0);
        if (heads > 0) return heads;
        throw ModelError("attribute '" + std::string(attribute) + "' is " + std::to_string(heads) +
                         "; expected 1 or more");
    }

    // A packed input in f32 with an axis for the heads: [B, T, H, ...].
    Output per_head(std::size_t input, const Composer::Ints& pattern) {
        const Output x = context_.input(input);
        NodeContext::check_shape(x, PartialShape::of_rank(3), "input " + std::to_string(input));
        return by_.reshape(by_.convert(x, f32), pattern);
    }

    Output scaled_query() {
        const Output query = per_head(LinearInput::kQuery, {0, 0, q_heads_, -1});
        const double scale = context_.attributes().find_float("scale").value_or(0);
        if (scale != 0) return by_.scaled(query, scale);
        const Output size = by_.convert(by_.extent(query, 3), f32);
        return by_.divide(query, by_.apply(ops::UnaryFunction::sqrt, size));
    }

    // [B, H, K, V].
    Output zeros(const Output& key, const Output& value) {
        std::vector<Output> extents{by_.extent(key, 0), by_.integer(heads_), by_.extent(key, 3),
                                    by_.extent(value, 3)};
        for (Output& extent : extents) extent = by_.unsqueeze(extent, {0});
        return by_.broadcast(by_.number(f32, 0), by_.concat(extents, 0));
    }

    // state: [B, H, K, V]; key and value [B, 1, H, K or V]; decay [B, 1, H, K or 1];
    // beta [B, 1, H or 1, 1].
    Output next_state(const Output& state, const Output& key, const Output& value,
                      const Output& decay, const Output& beta) {
        const Output column = by_.transpose(key, {0, 2, 3, 1});
        Output row = by_.transpose(value, {0, 2, 1, 3});
        Output kept = state;
        if (decay) {
            const Output factor =
                by_.apply(ops::UnaryFunction::exp, by_.transpose(decay, {0, 2, 3, 1}));
            kept = by_.multiply(state, factor);
        }
        if (beta) {
            const Output known = by_.product(by_.transpose(key, {0, 2, 1, 3}), kept);
            row = by_.multiply(by_.transpose(beta, {0, 2, 1, 3}), by_.subtract(row, known));
        }
        return by_.add(kept, by_.multiply(column, row));
    }

    NodeContext& context_;
    Composer by_;
    ElementType type_;
    bool decays_ = false;
    bool corrects_ = false;
    std::int64_t q_heads_ = 0;
    std::int64_t heads_ = 0;
};

}  // namespace

std::vector<Output> convert_linear_attention(NodeContext& context) {
    return LinearAttention(context).make();
}

}  // namespace rondo::onnx
