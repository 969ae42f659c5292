// Recurrent nodes and their inputs for tests, without a graph around them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"

namespace rondo::test {

/// Named "layer", with these attributes and no inputs.
template <typename T>
std::shared_ptr<T> recurrent_node(ops::RecurrentAttributes attributes) {
    auto node = std::make_shared<T>();
    node->set_name("layer");
    node->set_attributes(std::move(attributes));
    return node;
}

/// One of each op, with a hidden size of 2.
inline std::vector<std::shared_ptr<ops::RecurrentOp>> all_recurrent_nodes() {
    const ops::RecurrentAttributes attributes{.hidden_size = 2};
    return {
        recurrent_node<ops::LSTMSequence>(attributes), recurrent_node<ops::GRUSequence>(attributes),
        recurrent_node<ops::RNNSequence>(attributes),  recurrent_node<ops::LSTMCell>(attributes),
        recurrent_node<ops::GRUCell>(attributes),      recurrent_node<ops::RNNCell>(attributes)};
}

/// The shapes of every input that `op` needs, by port.
inline std::vector<Shape> input_shapes(const ops::RecurrentOp& op, std::size_t N, std::size_t T,
                                       std::size_t I, bool peepholes = false) {
    const auto H = static_cast<std::size_t>(op.attributes().hidden_size);
    const std::size_t G = op.gate_count();
    const std::size_t D = op.num_directions();
    const bool lstm = op.cell_type() == ops::CellType::lstm;
    const bool sequence = op.is_sequence();
    std::vector<Shape> shapes;
    const auto add = [&](Shape shape, int direction_at) {
        if (sequence && direction_at >= 0) shape.insert(shape.begin() + direction_at, D);
        shapes.push_back(std::move(shape));
    };
    add(sequence ? Shape{N, T, I} : Shape{N, I}, -1);
    add({N, H}, 1);
    if (lstm) add({N, H}, 1);
    if (sequence) add({N}, -1);
    add({G * H, I}, 0);
    add({G * H, H}, 0);
    add({op.bias_gate_count() * H}, 0);
    if (peepholes) add({3 * H}, 0);
    return shapes;
}

/// The same as infer() sees it: f32, lengths i64, no values.
inline std::vector<InferInput> infer_inputs(const ops::RecurrentOp& op, std::size_t N,
                                            std::size_t T, std::size_t I, bool peepholes = false) {
    std::vector<InferInput> inputs;
    for (const auto& shape : input_shapes(op, N, T, I, peepholes)) {
        const bool lengths = inputs.size() == op.lengths_port();
        inputs.push_back({lengths ? ElementType::i64 : ElementType::f32, shape, {}});
    }
    return inputs;
}

/// Parameters for every input, to be joined to the op.
inline std::vector<Output> parameters_for(const ops::RecurrentOp& op, bool peepholes = false) {
    std::vector<Output> outputs;
    for (const auto& input : infer_inputs(op, 2, 3, 4, peepholes)) {
        outputs.emplace_back(make_node<ops::Parameter>(input.type, input.shape));
    }
    return outputs;
}

inline std::vector<InferOutput> infer(const ops::RecurrentOp& op, std::vector<InferInput> inputs) {
    InferContext context(op.name(), op.type_name(), std::move(inputs));
    op.infer(context);
    return context.outputs();
}

}  // namespace rondo::test
