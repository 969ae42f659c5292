// Recurrent sequences and cells: written as LSTM, GRU and RNN and read again.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/model.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/frontend/onnx/writer/round_trip.hpp"

namespace rondo::test::recurrent_test {
namespace {

constexpr std::size_t kBatch = 3, kTime = 4, kInput = 5, kHidden = 2;

// Where the inputs after X come from.
struct Source {
    bool constant_weights = true;
    bool open = false;  // extents of X and the states
    bool peepholes = false;
    bool full_lengths = false;
    bool zero_states = false;
    ElementType type = ElementType::f32;
};

class LayerGraph {
public:
    explicit LayerGraph(const Source& source) : source_(source), rng_(test_rng()) {}

    Output run(const std::string& name, const Shape& shape) {
        values.push_back(random_tensor(source_.type, shape, rng_));
        return builder.input(name, text(shape, source_.open), source_.type);
    }
    Output weights(const std::string& name, const Shape& shape) {
        Tensor value = random_tensor(source_.type, shape, rng_);
        if (source_.constant_weights) return builder.constant(value, name);
        values.push_back(value);
        return builder.input(name, text(shape, false), source_.type);
    }
    Output state(const std::string& name, const Shape& shape) {
        if (source_.zero_states) return builder.constant(Tensor(source_.type, shape), name);
        return run(name, shape);
    }
    Output lengths() {
        const std::vector<std::int64_t> full(kBatch, kTime);
        if (source_.full_lengths) return builder.ints(full);
        values.push_back(tensor_of<std::int64_t>({kBatch}, {4, 0, 2}));
        return builder.input("lengths", source_.open ? "?" : "3", ElementType::i64);
    }

    GraphBuilder builder;
    std::vector<Tensor> values;

private:
    static std::string text(const Shape& shape, bool open) {
        std::string result;
        for (const auto extent : shape) {
            result += (result.empty() ? "" : ",") + (open ? "?" : std::to_string(extent));
        }
        return result;
    }

    Source source_;
    Rng rng_;
};

struct Layer {
    std::shared_ptr<Graph> graph;
    std::vector<Tensor> inputs;
};

template <typename Op>
Layer layer_of(ops::RecurrentAttributes attributes, const Source& source) {
    const auto probe = std::make_shared<Op>();
    probe->set_attributes(attributes);
    const bool sequence = probe->is_sequence();
    const std::size_t d = probe->num_directions();
    const std::size_t gates = probe->gate_count() * kHidden;
    const std::size_t biases = probe->bias_gate_count() * kHidden;
    const bool lstm = probe->cell_type() == ops::CellType::lstm;
    const auto with_directions = [&](Shape shape) {
        if (sequence) shape.insert(shape.begin(), d);
        return shape;
    };
    const Shape state = sequence ? Shape{kBatch, d, kHidden} : Shape{kBatch, kHidden};
    LayerGraph made(source);
    std::vector<Output> inputs{
        made.run("x", sequence ? Shape{kBatch, kTime, kInput} : Shape{kBatch, kInput})};
    inputs.push_back(made.state("h", state));
    if (lstm) inputs.push_back(made.state("c", state));
    if (sequence) inputs.push_back(made.lengths());
    inputs.push_back(made.weights("w", with_directions({gates, kInput})));
    inputs.push_back(made.weights("r", with_directions({gates, kHidden})));
    inputs.push_back(made.weights("b", with_directions({biases})));
    if (source.peepholes) inputs.push_back(made.weights("p", with_directions({3 * kHidden})));
    const auto op = std::make_shared<Op>(inputs);
    op->set_attributes(std::move(attributes));
    op->set_name("layer");
    op->validate();
    for (std::size_t i = 0; i < op->output_count(); ++i) {
        made.builder.output("out_" + std::to_string(i), op->output(i));
    }
    return {made.builder.graph(), std::move(made.values)};
}

template <typename Op>
void expect_layer(const ops::RecurrentAttributes& attributes, const Source& source = {}) {
    const Layer layer = layer_of<Op>(attributes, source);
    expect_round_trip(*layer.graph, layer.inputs);
}

template <typename Op>
void expect_each_source(ops::RecurrentAttributes attributes, bool peepholes = false) {
    attributes.hidden_size = kHidden;
    for (const bool constant : {true, false}) {
        for (const bool open : {true, false}) {
            Source source{.constant_weights = constant, .open = open, .peepholes = peepholes};
            expect_layer<Op>(attributes, source);
            source.full_lengths = source.zero_states = !open;
            expect_layer<Op>(attributes, source);
        }
    }
}

constexpr ops::Direction kDirections[] = {ops::Direction::forward, ops::Direction::reverse,
                                          ops::Direction::bidirectional};

TEST(OnnxWriterRecurrent, WritesSequencesOfEveryDirection) {
    for (const auto direction : kDirections) {
        expect_each_source<ops::LSTMSequence>({.direction = direction});
        expect_each_source<ops::GRUSequence>({.direction = direction});
        expect_each_source<ops::GRUSequence>({.direction = direction, .linear_before_reset = true});
        expect_each_source<ops::RNNSequence>({.direction = direction});
    }
}

TEST(OnnxWriterRecurrent, WritesCells) {
    expect_each_source<ops::LSTMCell>({});
    expect_each_source<ops::LSTMCell>({.clip = 0.3F}, true);
    expect_each_source<ops::GRUCell>({});
    expect_each_source<ops::GRUCell>({.linear_before_reset = true});
    expect_each_source<ops::RNNCell>({});
}

TEST(OnnxWriterRecurrent, WritesPeepholesAndCoupledGates) {
    for (const auto direction : kDirections) {
        expect_each_source<ops::LSTMSequence>({.direction = direction}, true);
        expect_each_source<ops::LSTMSequence>({.direction = direction, .input_forget = true}, true);
    }
}

TEST(OnnxWriterRecurrent, WritesFunctionsOfEachDirectionAndClip) {
    ops::RecurrentAttributes lstm{.direction = ops::Direction::bidirectional};
    lstm.activations = {"hardsigmoid", "relu", "tanh", "affine", "leakyrelu", "scaledtanh"};
    lstm.activations_alpha = {0.3F, 0.5F, 0.2F, 0.9F};
    lstm.activations_beta = {0.4F, 0.1F, 0.8F};
    lstm.clip = 0.5F;
    expect_each_source<ops::LSTMSequence>(lstm, true);
    ops::RecurrentAttributes gru{.direction = ops::Direction::reverse};
    gru.activations = {"softsign", "elu"};
    gru.linear_before_reset = true;
    expect_each_source<ops::GRUSequence>(gru);
    ops::RecurrentAttributes rnn{.direction = ops::Direction::bidirectional};
    rnn.activations = {"thresholdedrelu", "softplus"};
    rnn.activations_alpha = {0.05F};
    expect_each_source<ops::RNNSequence>(rnn);
}

TEST(OnnxWriterRecurrent, WritesOtherTypes) {
    for (const ElementType type : {ElementType::f64, ElementType::f16}) {
        const Source source{.type = type};
        const Layer layer = layer_of<ops::LSTMSequence>({.hidden_size = kHidden}, source);
        // 16 bits: the bias is added in f32 when the file is read.
        expect_round_trip(*layer.graph, layer.inputs, type == ElementType::f16 ? 2e-3 : 0);
    }
}

// Integers of an LSTM whose rows are rounded to 8 bits stay integers; others become a product.
TEST(OnnxWriterRecurrent, WritesIntegersAsOnnxruntimeHasThem) {
    for (const auto direction : kDirections) {
        for (const bool peepholes : {false, true}) {
            const Layer layer = layer_of<ops::LSTMSequence>(
                {.hidden_size = kHidden, .direction = direction}, {.peepholes = peepholes});
            Model(layer.graph).quantize({"w8r8", {}, 0, 1});
            const std::string operators = operators_of(*layer.graph);
            EXPECT_NE(operators.find("DynamicQuantizeLSTM"), std::string::npos);
            EXPECT_EQ(operators.find("Mul"), std::string::npos);
            expect_round_trip(*layer.graph, layer.inputs);
            const auto again = written_and_read(*layer.graph);
            const auto nodes = again->ordered_nodes();
            const auto op = std::ranges::find_if(
                nodes, [](const NodePtr& node) { return node->type_name() == "LSTMSequence"; });
            EXPECT_TRUE((*op)->rt_info().contains(kDynamicQuantization));
        }
    }
    const Layer words = layer_of<ops::LSTMSequence>({.hidden_size = kHidden}, {});
    Model(words.graph).quantize({"w8r16", {}, 0, 1});
    EXPECT_EQ(operators_of(*words.graph).find("DynamicQuantizeLSTM"), std::string::npos);
    expect_round_trip(*words.graph, words.inputs);
    const Layer gru = layer_of<ops::GRUSequence>({.hidden_size = kHidden}, {});
    Model(gru.graph).quantize({"w8r8", {}, 0, 1});
    expect_round_trip(*gru.graph, gru.inputs);
}

TEST(OnnxWriterRecurrent, LeavesOutWhatSaysNothing) {
    Source source{.full_lengths = true, .zero_states = true};
    const Layer layer = layer_of<ops::RNNSequence>({.hidden_size = kHidden}, source);
    EXPECT_EQ(operators_of(*layer.graph), "Transpose RNN Transpose Transpose");
    const auto again = written_and_read(*layer.graph);
    EXPECT_EQ(again->parameters().size(), 1U);
}

TEST(OnnxWriterRecurrent, ConstantWeightsAreOrderedInTheFile) {
    const Layer fixed = layer_of<ops::LSTMCell>({.hidden_size = kHidden}, {});
    EXPECT_EQ(operators_of(*fixed.graph), "Unsqueeze Unsqueeze Unsqueeze LSTM Squeeze Squeeze");
    const Layer given =
        layer_of<ops::LSTMCell>({.hidden_size = kHidden}, {.constant_weights = false});
    EXPECT_NE(operators_of(*given.graph).find("Split Concat"), std::string::npos);
}

}  // namespace
}  // namespace rondo::test::recurrent_test
