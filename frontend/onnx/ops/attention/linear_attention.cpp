// Converts LinearAttention: a recurrence over a matrix of state for each head.
#include <utility>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/ops/attention/dot_product.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ElementType::f32;

// The body of the loop over time. H heads of keys are shared by G queries each.
class StepGraph {
public:
    explicit StepGraph(NodeContext& by) : by_(by) {}

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
        std::vector<NodePtr> results{by_.make<ops::Result>(state).node_ptr(),
                                     by_.make<ops::Result>(output).node_ptr()};
        ports_.outputs = {{0, 1, ops::PartRange{1, 0, 1, 1, -1}}, {1, 0, {}}};
        const auto graph = std::make_shared<Graph>("step", parameters_, std::move(results));
        return by_.make_all<ops::TensorIterator>(inputs_, graph, ports_);
    }

private:
    Output add(const Output& value, const PartialShape& shape, std::optional<ops::PartRange> range,
               std::optional<std::size_t> back_edge) {
        ports_.inputs.push_back({inputs_.size(), parameters_.size(), range, back_edge});
        inputs_.push_back(value);
        parameters_.push_back(by_.make<ops::Parameter>(f32, shape).node_ptr());
        return parameters_.back();
    }

    NodeContext& by_;
    std::vector<Output> inputs_;
    std::vector<NodePtr> parameters_;
    ops::BodyPorts ports_;
};

class LinearAttention {
public:
    explicit LinearAttention(NodeContext& by)
        : by_(by), type_(NodeContext::known_type(by.input(0), "query")) {
        constexpr std::pair<std::string_view, Rule> kRules[] = {{"linear", {false, false}},
                                                                {"gated", {true, false}},
                                                                {"delta", {false, true}},
                                                                {"gated_delta", {true, true}}};
        rule_ = by.choice("update_rule", "gated_delta", kRules);
        q_heads_ = by.attribute_from("q_num_heads", 0, 1);
        heads_ = by.attribute_from("kv_num_heads", 0, 1);
        if (q_heads_ % heads_ != 0) {
            throw ModelError("attribute 'q_num_heads' is " + std::to_string(q_heads_) +
                             " and 'kv_num_heads' " + std::to_string(heads_) +
                             "; expected a multiple");
        }
        by.attributes().find_int("chunk_size");  // how to compute it, not what
    }

    std::vector<Output> make() {
        const Output key = per_head(kKey, {0, 0, heads_, -1});
        const Output value = per_head(kValue, {0, 0, heads_, -1});
        const Output query = scaled_query();
        const Output decay = rule_.decays ? per_head(kDecay, {0, 0, heads_, -1}) : Output();
        const Output beta = rule_.corrects ? per_head(kBeta, {0, 0, -1, 1}) : Output();
        const Output past = by_.optional_input(kState);
        const Output start = past ? by_.convert(past, f32) : zeros(key, value);
        const ElementType state_type = past ? NodeContext::known_type(past, "past_state") : type_;
        StepGraph step(by_);
        const Output state = next_state(step.carried(start), step.step_of(key), step.step_of(value),
                                        step.step_of(decay), step.step_of(beta));
        const Output queries = by_.reshape(step.step_of(query), {0, heads_, q_heads_ / heads_, -1});
        const Output read = by_.reshape(by_.product(queries, state), {0, 1, -1});
        const auto results = step.finish(state, read);
        return {by_.convert(results[0], type_), by_.convert(results[1], state_type)};
    }

private:
    enum Input : std::size_t { kQuery, kKey, kValue, kState, kDecay, kBeta };
    struct Rule {
        bool decays;
        bool corrects;
    };

    // A packed input in f32 with an axis for the heads: [B, T, H, ...].
    Output per_head(std::size_t input, const Ints& pattern) {
        const Output x = by_.input(input);
        NodeContext::check_shape(x, PartialShape::of_rank(3), "input " + std::to_string(input));
        return by_.reshape(by_.convert(x, f32), pattern);
    }

    Output scaled_query() {
        const Output query = per_head(kQuery, {0, 0, q_heads_, -1});
        const double scale = by_.attribute("scale", 0.0F);
        if (scale != 0) return by_.scaled(query, scale);
        const Output size = by_.convert(by_.extent(query, 3), f32);
        return by_.divide(query, by_.apply(ops::UnaryFunction::sqrt, size));
    }

    // [B, H, K, V].
    Output zeros(const Output& key, const Output& value) {
        const Output shape = joined_extents(by_, {by_.extent(key, 0), by_.integer(heads_),
                                                  by_.extent(key, 3), by_.extent(value, 3)});
        return by_.broadcast(by_.number(f32, 0), shape);
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

    NodeContext& by_;
    ElementType type_;
    Rule rule_ = {};
    std::int64_t q_heads_ = 0;
    std::int64_t heads_ = 0;
};

}  // namespace

std::vector<Output> convert_linear_attention(NodeContext& by) { return LinearAttention(by).make(); }

}  // namespace rondo::onnx
