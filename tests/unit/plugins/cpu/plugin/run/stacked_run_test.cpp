// Joined layers in whole models: streams, variables, other shapes, the model cache.
#include <gtest/gtest.h>

#include <filesystem>

#include "rondo/core.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/unit/plugins/cpu/stacked_graph.hpp"
#include "tests/unit/plugins/stateful_graphs.hpp"

namespace rondo::test::stacked_run_test {
namespace {

using ops::CellType;

// Two LSTMs whose states are variables, or inputs with zeros for them.
std::shared_ptr<Graph> stream_graph(std::size_t hidden, bool variables) {
    StackMaker maker({.batch = 1, .hidden = hidden});
    GraphBuilder& b = maker.builder();
    const Output x = b.input("x", "[1,?,5]"), lengths = maker.full_lengths(x);
    Output below = x;
    for (const std::string layer : {"lower", "upper"}) {
        const std::string shape = "[1,1," + std::to_string(hidden) + "]";
        const std::string h = layer + "_h", c = layer + "_c";
        const std::vector<Output> states =
            variables ? std::vector<Output>{b.read(h, shape), b.read(c, shape)}
                      : std::vector<Output>{b.input(h, shape), b.input(c, shape)};
        const auto node = maker.layer(layer, CellType::lstm, below, lengths, states);
        below = maker.handed_on(node);
        if (variables) b.assign(h, node->output(1));
        if (variables) b.assign(c, node->output(2));
        if (!variables) b.output(h + "_out", node->output(1));
    }
    b.output("y", below);
    return b.graph();
}

bool is_fused(const DeviceRun& device) {
    for (const auto& row : device.executable->kernels()) {
        if (row.node_type == "SequenceStack") return true;
    }
    return false;
}

// A stream in chunks whose states the model keeps gives the bits of the whole in one call.
TEST(StackedRun, ChunksGiveTheBitsOfTheWhole) {
    for (const std::size_t hidden : {24, 64}) {
        const Properties threads = {{property::kInferenceNumThreads, "2"}};
        Rng rng = test_rng();
        const Tensor x = random_tensor(ElementType::f32, {1, 80, 5}, rng);
        const Tensor zeros(ElementType::f32, {1, 1, hidden});
        auto at_once = on_cpu(*stream_graph(hidden, false), threads);
        EXPECT_TRUE(is_fused(at_once));
        const auto whole = at_once.run({x, zeros, zeros, zeros, zeros});
        auto device = on_cpu(*stream_graph(hidden, true), threads);
        EXPECT_TRUE(is_fused(device));
        std::size_t at = 0;
        for (const std::size_t length : {1, 34, 34, 1, 10}) {
            const Tensor chunk(ElementType::f32, {1, length, 5},
                               const_cast<float*>(x.data<float>()) + at * 5);
            const Tensor y = device.run({chunk})[0];
            const Tensor expected(ElementType::f32, y.shape(),
                                  const_cast<float*>(whole[2].data<float>()) + at * hidden);
            expect_same(y, expected);
            at += length;
        }
        expect_same(values_of(device)[0], whole[0]);
        expect_same(values_of(device)[2], whole[1]);
    }
}

// One request, shapes in turn: each its own plan, the same bits as layers apart.
TEST(StackedRun, ShapesInTurn) {
    StackedCase test;
    test.hidden = 48;
    test.with_lengths = true;
    auto together = on_cpu(*make_stacked(test).graph, {{property::kInferenceNumThreads, "2"}});
    auto apart = on_cpu(*make_apart(test).graph, {{property::kInferenceNumThreads, "1"}});
    for (const std::size_t time : {3, 40, 1, 40, 3, 100}) {
        test.time = time;
        test.batch = 1 + time % 4;
        const auto inputs = make_stacked(test).inputs;
        const auto expected = apart.run(inputs);
        const auto actual = together.run(inputs);
        for (std::size_t i = 0; i < expected.size(); ++i) expect_same(actual[i], expected[i]);
    }
}

// What is stored is the model before this device's passes: no file ever has the joined op.
TEST(StackedRun, TheModelCacheKeepsTheLayers) {
    const TemporaryFolder folder;
    const auto made = make_stacked({});
    const Properties cached = {{property::kCacheDir, folder.path()}};
    std::vector<Tensor> first;
    for (int round = 0; round < 2; ++round) {
        auto compiled = Core().compile_model(Model(made.graph), "CPU", cached);
        bool joined = false;
        for (const auto& row : compiled.kernels()) joined |= row.node_type == "SequenceStack";
        EXPECT_TRUE(joined) << "round " << round;
        auto request = compiled.create_infer_request();
        for (std::size_t i = 0; i < made.inputs.size(); ++i) {
            request.set_input_tensor(i, made.inputs[i]);
        }
        request.infer();
        const Tensor y = request.get_output_tensor(3);
        if (round == 0) first.push_back(y);
        expect_same(y, first[0]);
    }
    EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace rondo::test::stacked_run_test
