// Recurrent layers that feed each other as a graph, with random weights and inputs.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test {

struct StackedCase {
    std::vector<ops::CellType> kinds = {ops::CellType::lstm, ops::CellType::gru};
    ops::Direction direction = ops::Direction::forward;
    std::size_t batch = 2, time = 7, input = 5, hidden = 12;
    ElementType type = ElementType::f32;
    ElementType stored = ElementType::dynamic;  ///< of W and R before a Convert; else none
    ElementType lengths_type = ElementType::i64;
    bool open = true;           ///< N and T
    bool with_lengths = false;  ///< as an input; else full
    bool inner_results = true;  ///< Y, Ho and Co of every layer, else Y of the last alone
    bool apart = false;         ///< a product with 1 between layers: the same bits, nothing to join
};

/// Inputs: x, then each layer's h0 (and c0), then lengths. Layers are named "layer_0" and so on.
struct StackedGraph {
    std::shared_ptr<Graph> graph;
    std::vector<Tensor> inputs;
};

/// One layer after the other; tests change what joins them.
class StackMaker {
public:
    explicit StackMaker(const StackedCase& test) : test_(test) {}

    GraphBuilder& builder() { return b_; }
    const StackedCase& test() const { return test_; }

    Output input(const std::string& name, const Shape& shape, std::size_t open_axes) {
        inputs_.push_back(random_tensor(test_.type, shape, rng_));
        PartialShape open = shape;
        for (std::size_t i = 0; test_.open && i < open_axes; ++i) open[i] = Dimension();
        return b_.input(name, to_string(open), test_.type);
    }

    Output x() { return input("x", {test_.batch, test_.time, test_.input}, 2); }

    /// [N,1,H]
    Output state(const std::string& name) { return input(name, {test_.batch, 1, test_.hidden}, 1); }

    /// The extents of X [N,T,I]: T for each row.
    Output full_lengths(const Output& x) {
        const auto shape = b_.make<ops::ShapeOf>("", x);
        const Output zero = b_.constant(tensor_of<std::int64_t>({}, {0}));
        const auto steps = b_.make<ops::Gather>("", shape, b_.ints({1}), zero);
        const auto rows = b_.make<ops::Gather>("", shape, b_.ints({0}), zero);
        const auto lengths = b_.make<ops::Broadcast>("", steps, rows);
        return b_.make<ops::Convert>("", lengths, test_.lengths_type);
    }

    /// An input. Its tensor is the last; call it when all layers are there.
    void add_lengths_tensor() {
        const auto most = static_cast<double>(test_.time);
        inputs_.push_back(random_tensor(test_.lengths_type, {test_.batch}, rng_, 0, most));
    }

    Output weight(const std::string& name, const Shape& shape) {
        const double most = 1 / std::sqrt(static_cast<double>(test_.hidden));
        const Tensor value = random_tensor(test_.type, shape, rng_, -most, most);
        if (test_.stored == ElementType::dynamic) return b_.constant(value, name);
        const Output narrow = b_.constant(converted(value, test_.stored), name + "_compressed");
        return b_.make<ops::Convert>(name, narrow, test_.type);
    }

    /// `states`: h0 and, for an LSTM, c0; empty: inputs of the graph.
    NodePtr layer(const std::string& name, ops::CellType kind, const Output& x,
                  const Output& lengths, std::vector<Output> states = {}) {
        switch (kind) {
            case ops::CellType::lstm: return make<ops::LSTMSequence>(name, x, lengths, states);
            case ops::CellType::gru: return make<ops::GRUSequence>(name, x, lengths, states);
            case ops::CellType::rnn: break;
        }
        return make<ops::RNNSequence>(name, x, lengths, states);
    }

    /// What a layer hands to the next one: Y [N,1,T,H] as [N,T,H].
    Output handed_on(const NodePtr& layer) {
        const Output y = b_.squeeze(layer->output(0), {1});
        if (!test_.apart) return y;
        const Output one = b_.constant(converted(tensor_of<float>({1}, {1}), test_.type));
        return b_.make<ops::Binary>("", ops::BinaryFunction::multiply, y, one);
    }

    StackedGraph finish() { return {b_.graph(), inputs_}; }

private:
    template <typename T>
    NodePtr make(const std::string& name, const Output& x, const Output& lengths,
                 std::vector<Output> states) {
        auto node = std::make_shared<T>();
        ops::RecurrentAttributes attributes;
        attributes.hidden_size = static_cast<std::int64_t>(test_.hidden);
        attributes.direction = test_.direction;
        node->set_attributes(attributes);
        const bool lstm = node->cell_type() == ops::CellType::lstm;
        if (states.empty()) {
            states.push_back(state(name + "_h0"));
            if (lstm) states.push_back(state(name + "_c0"));
        }
        const std::size_t directions = node->num_directions();
        const std::size_t gates = node->gate_count() * test_.hidden;
        const auto width = static_cast<std::size_t>(x.shape()[2].length());
        std::vector<Output> all{x};
        all.insert(all.end(), states.begin(), states.end());
        all.push_back(lengths);
        all.push_back(weight(name + "_w", {directions, gates, width}));
        all.push_back(weight(name + "_r", {directions, gates, test_.hidden}));
        all.push_back(weight(name + "_b", {directions, gates}));
        node->set_inputs(std::move(all));
        node->set_name(name);
        node->validate();
        return node;
    }

    StackedCase test_;
    GraphBuilder b_;
    Rng rng_ = test_rng();
    std::vector<Tensor> inputs_;
};

/// All layers in one chain. Results are named "y_0", "ho_0", "co_0" and so on.
inline StackedGraph make_stacked(const StackedCase& test) {
    StackMaker maker(test);
    GraphBuilder& b = maker.builder();
    const Output x = maker.x();
    std::vector<NodePtr> layers;
    Output lengths;
    if (test.with_lengths) {
        lengths = make_node<ops::Parameter>(
            test.lengths_type,
            test.open ? PartialShape{Dimension()} : PartialShape(Shape{test.batch}));
    }
    Output below = x;
    for (const auto kind : test.kinds) {
        const std::string number = std::to_string(layers.size());
        const Output own = test.with_lengths ? lengths : maker.full_lengths(below);
        layers.push_back(maker.layer("layer_" + number, kind, below, own));
        below = maker.handed_on(layers.back());
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const std::string number = std::to_string(i);
        const bool last = i + 1 == layers.size();
        const char* names[] = {"y_", "ho_", "co_"};
        for (std::size_t k = 0; k < layers[i]->output_count(); ++k) {
            if (!test.inner_results && !(last && k == 0)) continue;
            b.output(names[k] + number, layers[i]->output(k));
        }
    }
    StackedGraph made = maker.finish();
    if (!test.with_lengths) return made;
    lengths.node().set_name("lengths");
    maker.add_lengths_tensor();
    auto parameters = made.graph->parameters();
    parameters.push_back(lengths.node_ptr());
    return {std::make_shared<Graph>("test", parameters, made.graph->results()),
            maker.finish().inputs};
}

/// The same numbers from layers that can't be joined.
inline StackedGraph make_apart(StackedCase test) {
    test.apart = true;
    return make_stacked(test);
}

}  // namespace rondo::test
