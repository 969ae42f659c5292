// Recurrent layers with any attributes for tests of the lowering passes, and their inputs.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::test {

struct LayerSpec {
    ops::CellType cell = ops::CellType::lstm;
    ops::RecurrentAttributes attributes = {.hidden_size = 3};
    bool is_sequence = true;
    bool has_peepholes = false;
    bool has_lengths = false;  ///< an input; else all rows have T
    std::string x_shape = "[?,?,4]";
    ElementType type = ElementType::f32;

    std::size_t directions() const {
        return attributes.direction == ops::Direction::bidirectional ? 2 : 1;
    }
};

inline void make_op(GraphBuilder& b, const LayerSpec& spec, std::shared_ptr<ops::RecurrentOp> op) {
    Rng rng(11);
    op->set_attributes(spec.attributes);
    const std::size_t H = 3, I = 4, D = spec.directions();
    const auto weights = [&](std::size_t gates, std::size_t width) {
        Shape shape = spec.is_sequence ? Shape{D, gates * H} : Shape{gates * H};
        if (width != 0) shape.push_back(width);
        return b.constant(random_tensor(spec.type, shape, rng, -1, 1));
    };
    const Output x = b.input("x", spec.x_shape, spec.type);
    std::vector<Output> inputs{x};
    const std::string state = spec.is_sequence ? "[?," + std::to_string(D) + ",3]" : "[?,3]";
    inputs.push_back(b.input("h", state, spec.type));
    if (spec.cell == ops::CellType::lstm) inputs.push_back(b.input("c", state, spec.type));
    if (spec.is_sequence) {
        inputs.push_back(spec.has_lengths
                             ? b.input("lengths", "[?]", ElementType::i32)
                             : b.make<ops::Broadcast>("", extent_of(b, x, 1), extent_of(b, x, 0)));
    }
    inputs.push_back(weights(op->gate_count(), I));
    inputs.push_back(weights(op->gate_count(), H));
    inputs.push_back(weights(op->bias_gate_count(), 0));
    if (spec.has_peepholes) inputs.push_back(weights(3, 0));
    op->set_inputs(std::move(inputs));
    op->set_name("layer");
    op->validate();
    const char* const names[] = {"one", "two", "three"};
    for (std::size_t i = 0; i < op->output_count(); ++i) b.output(names[i], op->output(i));
}

/// The layer alone: inputs x, h, c of an LSTM, lengths where it has them; all outputs are outputs
/// of the model.
inline std::shared_ptr<Graph> layer_graph(const LayerSpec& spec) {
    GraphBuilder b;
    const auto make = [&](auto sequence, auto cell) {
        if (spec.is_sequence) return make_op(b, spec, std::move(sequence));
        make_op(b, spec, std::move(cell));
    };
    switch (spec.cell) {
        case ops::CellType::lstm:
            make(std::make_shared<ops::LSTMSequence>(), std::make_shared<ops::LSTMCell>());
            break;
        case ops::CellType::gru:
            make(std::make_shared<ops::GRUSequence>(), std::make_shared<ops::GRUCell>());
            break;
        case ops::CellType::rnn:
            make(std::make_shared<ops::RNNSequence>(), std::make_shared<ops::RNNCell>());
            break;
    }
    return b.graph();
}

/// Random tensors for N rows of T steps, and lengths from 0 to T.
inline std::vector<Tensor> layer_inputs(const LayerSpec& spec, std::size_t N, std::size_t T,
                                        unsigned seed = 1) {
    Rng rng(seed);
    const auto random = [&](const Shape& shape) {
        return random_tensor(spec.type, shape, rng, -1.5, 1.5);
    };
    const Shape state = spec.is_sequence ? Shape{N, spec.directions(), 3} : Shape{N, 3};
    std::vector<Tensor> inputs{random(spec.is_sequence ? Shape{N, T, 4} : Shape{N, 4})};
    inputs.push_back(random(state));
    if (spec.cell == ops::CellType::lstm) inputs.push_back(random(state));
    if (spec.is_sequence && spec.has_lengths) {
        std::vector<std::int32_t> lengths;
        for (std::size_t row = 0; row < N; ++row) {
            lengths.push_back(
                static_cast<std::int32_t>(uniform_int(rng, 0, static_cast<std::int64_t>(T))));
        }
        inputs.push_back(tensor_of<std::int32_t>({N}, lengths));
    }
    return inputs;
}

inline std::vector<Tensor> layer_inputs(const LayerSpec& spec) {
    return layer_inputs(spec, 3, spec.x_shape == "[?,2,4]" ? 2 : 5);
}

/// Fails unless the pass changes the graph, keeps its results up to rounding, and changes nothing
/// in a second run.
inline void expect_lowered(Graph& graph, const PassFunction& pass,
                           const std::vector<Tensor>& inputs, double tolerance = 4e-6,
                           SourceLocation where = SourceLocation::current()) {
    const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "lowered");
    const auto expected = evaluate_graph(graph, inputs);
    EXPECT_TRUE(pass(graph));
    graph.validate();
    const auto actual = evaluate_graph(graph, inputs);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expect_near(actual[i], expected[i], tolerance, tolerance, where);
    }
    expect_unchanged(graph, pass, where);
}

}  // namespace rondo::test
