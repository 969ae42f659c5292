// One recurrent layer as a graph, with random weights and inputs.
#pragma once

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test {

struct RecurrentCase {
    ops::RecurrentAttributes attributes;
    std::size_t batch = 2;
    std::size_t time = 7;
    std::size_t input_size = 11;
    ElementType type = ElementType::f32;
    ElementType lengths_type = ElementType::i64;
    bool peephole = false;
    bool with_lengths = false;  ///< as the last input, random; else full
    bool constant_weights = true;
    ElementType stored = ElementType::dynamic;  ///< of constant weights before a Convert; else none
    bool open_shapes = true;
    std::vector<std::size_t> outputs;  ///< those with a result; empty: all
};

/// X and the states are the first inputs; then weights unless they are constant; then lengths.
struct RecurrentGraph {
    std::shared_ptr<Graph> graph;
    std::vector<Tensor> inputs;
};

class RecurrentMaker {
public:
    RecurrentMaker(const RecurrentCase& test, Rng& rng) : test_(test), rng_(rng) {}

    Output input(const std::string& name, const Shape& shape) {
        made_.inputs.push_back(random_tensor(test_.type, shape, rng_));
        PartialShape open = shape;
        if (test_.open_shapes) {
            open[0] = Dimension();
            if (shape.size() == 3 && name == "x") open[1] = Dimension();
        }
        parameters_.push_back(parameter(name, open, test_.type));
        return parameters_.back();
    }

    // Within 1 / sqrt(H), as PyTorch starts out: with larger weights a recurrence is chaotic, and
    // no bound on the distance of two correct results would hold.
    Output weight(const std::string& name, const Shape& shape) {
        const double most = 1 / std::sqrt(static_cast<double>(test_.attributes.hidden_size));
        const Tensor value = random_tensor(test_.type, shape, rng_, -most, most);
        if (test_.constant_weights && test_.stored != ElementType::dynamic) {
            const Output narrow = constant(converted(value, test_.stored), name + "_compressed");
            return named(make_node<ops::Convert>(narrow, test_.type), name);
        }
        if (test_.constant_weights) return constant(value, name);
        made_.inputs.push_back(value);
        parameters_.push_back(parameter(name, shape, test_.type));
        return parameters_.back();
    }

    // Added last to the parameters, though the port comes earlier.
    Output lengths() {
        if (!test_.with_lengths) return full_lengths();
        lengths_ = parameter("lengths", {Dimension()}, test_.lengths_type);
        return lengths_;
    }

    template <typename T>
    RecurrentGraph finish(std::vector<Output> inputs) {
        const auto node = named(std::make_shared<T>(std::move(inputs)), "layer");
        node->set_attributes(test_.attributes);
        node->validate();
        if (lengths_) {
            parameters_.push_back(lengths_);
            made_.inputs.push_back(random_tensor(test_.lengths_type, {test_.batch}, rng_, 0,
                                                 static_cast<double>(test_.time)));
        }
        std::vector<std::size_t> wanted = test_.outputs;
        if (wanted.empty()) {
            wanted.resize(node->output_count());
            std::iota(wanted.begin(), wanted.end(), std::size_t{0});
        }
        std::vector<Output> outputs;
        for (const std::size_t i : wanted) outputs.push_back(node->output(i));
        made_.graph = graph_of(parameters_, outputs);
        return std::move(made_);
    }

private:
    // A constant, or T for each of the N rows of X where these are open.
    Output full_lengths() {
        if (!test_.open_shapes) {
            const std::vector<std::int64_t> full(test_.batch,
                                                 static_cast<std::int64_t>(test_.time));
            return constant(
                converted(tensor_of<std::int64_t>({test_.batch}, full), test_.lengths_type));
        }
        const auto shape = make_node<ops::ShapeOf>(parameters_[0]);
        const auto zero = ops::make_i64_scalar(0, "zero");
        const auto steps = make_node<ops::Gather>(shape, ops::make_i64_scalar(1, "one"), zero);
        const auto rows = make_node<ops::Gather>(shape, ops::make_i64({0}, "first"), zero);
        return make_node<ops::Convert>(make_node<ops::Broadcast>(steps, rows), test_.lengths_type);
    }

    const RecurrentCase& test_;
    Rng& rng_;
    RecurrentGraph made_;
    std::vector<NodePtr> parameters_;
    NodePtr lengths_;
};

/// A graph of one T (LSTMSequence, GRUCell, ...) named "layer".
template <typename T>
RecurrentGraph make_recurrent(const RecurrentCase& test, Rng rng = test_rng()) {
    T shape_giver;
    shape_giver.set_attributes(test.attributes);
    RecurrentMaker maker(test, rng);
    const bool sequence = shape_giver.is_sequence();
    const std::size_t D = shape_giver.num_directions();
    const auto H = static_cast<std::size_t>(test.attributes.hidden_size);
    const std::size_t G = shape_giver.gate_count() * H;
    const auto shape = [&](Shape rest) {
        if (sequence) rest.insert(rest.begin(), D);
        return rest;
    };
    const Shape state = sequence ? Shape{test.batch, D, H} : Shape{test.batch, H};
    std::vector<Output> inputs;
    inputs.push_back(maker.input("x", sequence ? Shape{test.batch, test.time, test.input_size}
                                               : Shape{test.batch, test.input_size}));
    inputs.push_back(maker.input("h", state));
    const bool lstm = shape_giver.cell_type() == ops::CellType::lstm;
    if (lstm) inputs.push_back(maker.input("c", state));
    if (sequence) inputs.push_back(maker.lengths());
    inputs.push_back(maker.weight("w", shape({G, test.input_size})));
    inputs.push_back(maker.weight("r", shape({G, H})));
    inputs.push_back(maker.weight("b", shape({shape_giver.bias_gate_count() * H})));
    if (test.peephole) inputs.push_back(maker.weight("p", shape({3 * H})));
    return maker.template finish<T>(std::move(inputs));
}

}  // namespace rondo::test
