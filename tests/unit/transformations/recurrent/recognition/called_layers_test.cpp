// Layers that a script calls for one step after another.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/transformations/recurrent/cell_spellings.hpp"
#include "transformations/recurrent/recognition/steps_to_sequences.hpp"

namespace rondo::passes::called_layers_test {
namespace {

using namespace test;  // NOLINT: tests only

// Two layers step by step. States are [N,1,4], and Y goes to the second layer and to the output.
class CalledLayers {
public:
    explicit CalledLayers(const char* x) : x_(b_.input("x", x)) {}

    std::shared_ptr<Graph> graph() {
        std::vector<Output> h(2, b_.input("h", "[?,1,4]")), c(2, b_.input("c", "[?,1,4]"));
        std::vector<Output> rows;
        for (std::int64_t i = 0; i < kCalls; ++i) {
            Output value = b_.make<ops::Gather>("", x_, b_.ints({i}), b_.ints({1}));
            for (const std::size_t layer : {0U, 1U}) {
                const auto lstm = called(layer, value, h[layer], c[layer]);
                value = b_.squeeze(lstm->output(0), {1});
                h[layer] = lstm->output(1);
                c[layer] = lstm->output(2);
            }
            rows.push_back(value);
        }
        b_.output("y", b_.make<ops::Concat>("joined", rows, 1));
        b_.output("h_out", step_.tanh(h[0]));
        b_.output("c_out", step_.tanh(c[1]));
        return b_.graph();
    }

private:
    static constexpr std::int64_t kCalls = 5;

    std::shared_ptr<ops::LSTMSequence> called(std::size_t layer, const Output& x, const Output& h,
                                              const Output& c) {
        const std::string name = std::to_string(layer);
        const auto shape = b_.make<ops::ShapeOf>("", x);
        const Output rows = b_.make<ops::Gather>("", shape, b_.ints({0}), b_.ints({0}));
        const Output lengths =
            b_.make<ops::Broadcast>("", b_.constant(scalar_of<std::int64_t>(1)), rows);
        auto op = std::make_shared<ops::LSTMSequence>(std::vector<Output>{
            x, h, c, lengths, step_.weights("W" + name, {1, 16, layer == 0 ? 3U : 4U}),
            step_.weights("R" + name, {1, 16, 4}), step_.weights("B" + name, {1, 16})});
        ops::RecurrentAttributes attributes;
        attributes.hidden_size = 4;
        op->set_attributes(attributes);
        op->validate();
        op->set_name("layer" + name);
        return op;
    }

    GraphBuilder b_;
    StepWriter step_{b_};
    Output x_;
};

TEST(StepsToSequences, JoinTheCallsOfTwoLayers) {
    for (const char* x : {"[?,5,3]", "[1,5,3]"}) {
        const auto graph = CalledLayers(x).graph();
        const std::size_t rows = std::string(x) == "[?,5,3]" ? 3 : 1;
        const auto inputs = random_inputs(*graph, rows);
        const auto before = evaluate_graph(*graph, inputs);
        while (steps_to_sequences(*graph)) graph->validate();
        EXPECT_EQ(count_nodes(*graph, "LSTMSequence"), 2u);
        const auto after = evaluate_graph(*graph, inputs);
        for (std::size_t i = 0; i < before.size(); ++i) expect_near(after[i], before[i], 2e-6);
    }
}

}  // namespace
}  // namespace rondo::passes::called_layers_test
