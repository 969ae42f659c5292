#include "core/ir/composed_ops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/op_list.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ir/composed_layer.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::ir::composed_ops_test {
namespace {

using namespace test;  // NOLINT: tests only
// Peer of the values: OpenVINO 2026.4's CPU device, or formulas of its specification.
const Tensor kX = floats({1, 2, 2}, {-2, -0.5F, 0.25F, 3});

TEST(ComposedOps, AreFoundByOpset) {
    EXPECT_NE(find_composed("Gelu", "opset2"), find_composed("Gelu", "opset7"));
    EXPECT_EQ(find_composed("Gelu", "opset14"), find_composed("gelu", "opset7"));
    EXPECT_EQ(find_composed("Gelu", "opset1"), nullptr);
    EXPECT_EQ(find_composed("Clamp", "rondo1"), nullptr);
    EXPECT_EQ(find_composed("ReLU", "opset1"), nullptr);
}

TEST(ComposedOps, ConvertLikeTakesTheTypeOfTheSecondInput) {
    const Tensor x = run_layer("ConvertLike", "opset1", {}, {kX, tensor_of<std::int32_t>({}, {0})});
    expect_same(x, tensor_of<std::int32_t>({1, 2, 2}, {-2, 0, 0, 3}));
}

TEST(ComposedOps, VectorsOfOneNumberAddNoAxis) {
    const Tensor x = scalar_of<float>(-2);
    const Tensor one = floats({1}, {0.5F});
    EXPECT_EQ(run_layer("PReLU", "opset1", {}, {x, one}).shape(), Shape());
    EXPECT_EQ(run_layer("Selu", "opset1", {}, {x, one, one}).shape(), Shape());
    EXPECT_EQ(run_layer("HardSigmoid", "opset1", {}, {x, one, one}).shape(), Shape());
    EXPECT_EQ(run_layer("Swish", "opset4", {}, {x, one}).shape(), Shape());
    expect_same(run_layer("PReLU", "opset1", {}, {kX, one}),
                floats({1, 2, 2}, {-1, -0.25F, 0.25F, 3}));
}

TEST(ComposedOps, Activations) {
    expect_same(run_layer("Clamp", "opset1", {{"min", "-1"}, {"max", "0.5"}}, {kX}),
                floats({1, 2, 2}, {-1, -0.5F, 0.25F, 0.5F}));
    const auto whole = tensor_of<std::int32_t>({3}, {-4, 1, 9});
    expect_same(run_layer("Clamp", "opset1", {{"min", "-1.5"}, {"max", "3.5"}}, {whole}),
                tensor_of<std::int32_t>({3}, {-1, 1, 3}));
    expect_same(run_layer("Clamp", "opset1", {{"min", "-1e30"}, {"max", "1e30"}}, {whole}), whole);
    const auto e = [](float x) { return std::exp(x); };
    expect_near(run_layer("Elu", "opset1", {{"alpha", "0.5"}}, {kX}),
                floats({1, 2, 2}, {0.5F * (e(-2) - 1), 0.5F * (e(-0.5F) - 1), 0.25F, 3}), 1e-6);
    expect_near(run_layer("Selu", "opset1", {}, {kX, floats({1}, {2}), floats({1}, {3})}),
                floats({1, 2, 2}, {6 * (e(-2) - 1), 6 * (e(-0.5F) - 1), 0.75F, 9}), 1e-5);
    expect_near(run_layer("HardSigmoid", "opset1", {}, {kX, scalar_of(0.2F), scalar_of(0.5F)}),
                floats({1, 2, 2}, {0.1F, 0.4F, 0.55F, 1}), 1e-6);
    expect_near(run_layer("Swish", "opset4", {}, {kX, scalar_of(2.0F)}),
                floats({1, 2, 2}, {-2 / (1 + e(4)), -0.5F / (1 + e(1)), 0.25F / (1 + e(-0.5F)),
                                   3 / (1 + e(-6))}),
                1e-6);
    const auto gelu = [](float x) { return x * (1 + std::erf(x / std::sqrt(2.0F))) / 2; };
    const auto expected = floats({1, 2, 2}, {gelu(-2), gelu(-0.5F), gelu(0.25F), gelu(3)});
    expect_near(run_layer("Gelu", "opset2", {}, {kX}), expected, 1e-6);
    expect_near(run_layer("Gelu", "opset7", {{"approximation_mode", "ERF"}}, {kX}), expected, 1e-6);
    expect_near(run_layer("Gelu", "opset7", {{"approximation_mode", "TANH"}}, {kX}), expected,
                1e-3);
    expect_near(run_layer("Gelu", "opset7", {}, {converted(kX, ElementType::f16)}),
                converted(expected, ElementType::f16), 1e-3);
    expect_same(run_layer("Identity", "opset16", {}, {kX}), kX);
}

TEST(ComposedOps, TellKindsOfNumbers) {
    const float inf = std::numeric_limits<float>::infinity();
    const Tensor x = floats({4}, {std::nanf(""), inf, -inf, 1});
    const auto expect = [&](const char* type, const Texts& attributes, std::vector<bool> flags) {
        Tensor expected(ElementType::boolean, {4});
        std::copy(flags.begin(), flags.end(), expected.data<bool>());
        expect_same(run_layer(type, "opset10", attributes, {x}), expected);
    };
    expect("IsNaN", {}, {true, false, false, false});
    expect("IsFinite", {}, {false, false, false, true});
    expect("IsInf", {}, {false, true, true, false});
    expect("IsInf", {{"detect_negative", "false"}}, {false, true, false, false});
    expect("IsInf", {{"detect_positive", "false"}}, {false, false, true, false});
    expect("IsInf", {{"detect_positive", "false"}, {"detect_negative", "false"}},
           {false, false, false, false});
}

TEST(ComposedOps, TurnAxesRound) {
    const Tensor x = floats({2, 2}, {1, 2, 3, 4});
    expect_same(run_layer("Reverse", "opset1", {{"mode", "index"}},
                          {x, tensor_of<std::int64_t>({1}, {-1})}),
                floats({2, 2}, {2, 1, 4, 3}));
    expect_same(run_layer("Reverse", "opset1", {{"mode", "mask"}},
                          {x, tensor_of<bool>({2}, {true, false})}),
                floats({2, 2}, {3, 4, 1, 2}));
    expect_same(run_layer("Reverse", "opset1", {{"mode", "index"}},
                          {x, tensor_of<std::int64_t>({2}, {0, 1})}),
                floats({2, 2}, {4, 3, 2, 1}));
}

TEST(ComposedOps, PReluTakesASlopeForEachChannel) {
    expect_same(run_layer("PReLU", "opset1", {}, {kX, floats({2}, {10, 100})}),
                floats({1, 2, 2}, {-20, -5, 0.25F, 3}));
    expect_same(run_layer("PReLU", "opset1", {}, {kX, floats({1}, {2})}),
                floats({1, 2, 2}, {-4, -1, 0.25F, 3}));
}

// What is open when the model is read is seen when it runs.
TEST(ComposedOps, SlopesOfPReluFollowTheShapesOfTheRun) {
    const auto x = make_node<ops::Parameter>(ElementType::f32, PartialShape::of_rank(3));
    const auto slopes = make_node<ops::Parameter>(ElementType::f32, PartialShape::of_rank(1));
    const NodePtr node = compose("PReLU", "opset1", {}, {x, slopes});
    const Graph graph("g", {x, slopes}, {make_node<ops::Result>(node)});
    const auto run = [&](const Tensor& data, const Tensor& by) {
        return evaluate_graph(graph, {data, by}).at(0);
    };
    const Tensor pair = floats({1, 1, 2}, {-1, -2});
    expect_same(run(kX, floats({2}, {10, 100})), floats({1, 2, 2}, {-20, -5, 0.25F, 3}));
    expect_same(run(pair, floats({2}, {10, 100})), floats({1, 1, 2}, {-10, -200}));
    expect_same(run(pair, floats({1}, {10})), floats({1, 1, 2}, {-10, -20}));
    expect_error<ModelError>([&] { run(pair, floats({3}, {1, 2, 3})); }, "broadcast");
    expect_error<ModelError>(
        [&] {
            run(floats({1, 1, 1}, {-1}), floats({3}, {1, 2, 3}));
        },
        "can't be reshaped");
}

TEST(ComposedOps, Normalisation) {
    const auto x = floats({1, 2, 2}, {3, 0, 4, 1});
    expect_near(run_layer("GRN", "opset1", {{"bias", "11"}}, {x}),
                floats({1, 2, 2}, {0.5F, 0, 4 / 6.0F, 1 / std::sqrt(12.0F)}), 1e-6);
    const Texts added{{"eps", "11"}, {"eps_mode", "add"}}, least{{"eps", "9"}, {"eps_mode", "max"}};
    expect_near(run_layer("NormalizeL2", "opset1", added, {x, int_vector({1})}),
                floats({1, 2, 2}, {0.5F, 0, 4 / 6.0F, 1 / std::sqrt(12.0F)}), 1e-6);
    expect_near(run_layer("NormalizeL2", "opset1", least, {x, int_vector({-2})}),
                floats({1, 2, 2}, {0.6F, 0, 0.8F, 1 / 3.0F}), 1e-6);
    const Texts lrn{{"alpha", "3"}, {"beta", "0.5"}, {"bias", "1"}, {"size", "3"}};
    expect_near(run_layer("LRN", "opset1", lrn, {floats({1, 3}, {1, 2, 3}), int_vector({1})}),
                floats({1, 3}, {1 / std::sqrt(6.0F), 2 / std::sqrt(15.0F), 3 / std::sqrt(14.0F)}),
                1e-6);
    // One element more than those that the sum is divided by.
    const Texts even{{"alpha", "2"}, {"beta", "1"}, {"bias", "1"}, {"size", "2"}};
    expect_near(run_layer("LRN", "opset1", even, {floats({1, 3}, {1, 2, 3}), int_vector({1})}),
                floats({1, 3}, {1 / 6.0F, 2 / 15.0F, 3 / 14.0F}), 1e-6);
}

TEST(ComposedOps, ScatterUpdateReplacesPartsOfAnAxis) {
    const Tensor x = floats({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const auto run = [&](const Tensor& indices, const Tensor& updates, std::int64_t axis) {
        return run_layer("ScatterUpdate", "opset3", {}, {x, indices, updates, int_scalar(axis)});
    };
    expect_same(run(int_vector({1}), floats({1, 3, 2}, {-1, -2, -3, -4, -5, -6}), 0),
                floats({2, 3, 2}, {0, 1, 2, 3, 4, 5, -1, -2, -3, -4, -5, -6}));
    const Tensor columns = tensor_of<std::int32_t>({1, 2}, {2, 0});
    const Tensor parts = floats({2, 1, 2, 2}, {-1, -2, -3, -4, -5, -6, -7, -8});
    expect_same(run(columns, parts, 1),
                floats({2, 3, 2}, {-3, -4, 2, 3, -1, -2, -7, -8, 8, 9, -5, -6}));
    expect_same(run(int_scalar(1), floats({2, 3}, {-1, -2, -3, -4, -5, -6}), -1),
                floats({2, 3, 2}, {0, -1, 2, -2, 4, -3, 6, -4, 8, -5, 10, -6}));
    EXPECT_THROW(run(int_vector({1}), floats({1, 3, 1}, {1, 2, 3}), 0), ModelError);
    EXPECT_THROW(run(int_vector({2}), floats({1, 3, 2}, {1, 2, 3, 4, 5, 6}), 0), ModelError);
    EXPECT_THROW(run(int_vector({0}), floats({1, 3, 2}, {1, 2, 3, 4, 5, 6}), 3), ModelError);
}

TEST(ComposedOps, PlacesAndIntervals) {
    const auto x = floats({4}, {-1, 0, 0.5F, 2});
    const auto bounds = floats({2}, {0, 1});
    expect_same(run_layer("Bucketize", "opset3", {{"output_type", "i32"}}, {x, bounds}),
                tensor_of<std::int32_t>({4}, {0, 0, 1, 2}));
    expect_same(run_layer("Bucketize", "opset3", {{"with_right_bound", "false"}}, {x, bounds}),
                int_vector({0, 1, 1, 2}));
    expect_same(run_layer("Bucketize", "opset3", {}, {int_vector({-1, 5}), bounds}),
                int_vector({0, 2}));
    const std::vector<Tensor> inputs{tensor_of<std::int32_t>({3}, {1, -1, 0}), int_scalar(2),
                                     scalar_of(5.0F), scalar_of(-5.0F)};
    expect_same(run_layer("OneHot", "opset1", {{"axis", "-1"}}, inputs),
                floats({3, 2}, {-5, 5, -5, -5, 5, -5}));
    expect_same(run_layer("OneHot", "opset1", {{"axis", "0"}}, inputs),
                floats({2, 3}, {-5, -5, 5, 5, -5, -5}));
    expect_same(run_layer("OneHot", "opset16", {{"negative_indices_mode", "normalize"}}, inputs),
                floats({3, 2}, {-5, 5, -5, 5, 5, -5}));
    expect_same(run_layer("Eye", "opset9", {}, {int_scalar(2), int_scalar(3), int_scalar(1)}),
                floats({2, 3}, {0, 1, 0, 0, 0, 1}));
    expect_same(run_layer("Eye", "opset9", {{"output_type", "i8"}},
                          {int_scalar(1), int_scalar(2), int_vector({-1}), int_vector({2})}),
                tensor_of<std::int8_t>({2, 1, 2}, {0, 0, 0, 0}));
    expect_same(
        run_layer("Range", "opset1", {}, {scalar_of(1.0F), scalar_of(6.0F), scalar_of(2.0F)}),
        floats({3}, {1, 3, 5}));
}

template <typename Kind>
void refuse(const std::string& type, const Texts& attributes, std::vector<Output> inputs,
            const std::string& message) {
    expect_error<Kind>([&] { compose(type, "opset16", attributes, inputs); }, message);
}

TEST(ComposedOps, RefuseWhatDoesntFit) {
    const Output x = parameter("2,3");
    refuse<ModelError>("Elu", {}, {x, x}, "it has 2 inputs; expected 1");
    refuse<UnsupportedError>("ConvertLike", {}, {x, parameter("2", ElementType::dynamic)},
                             "the type of input 1 isn't known");
    refuse<ModelError>("Swish", {}, {x, x, x}, "it has 3 inputs; expected 1 to 2");
    refuse<ModelError>("Clamp", {{"min", "2"}, {"max", "1"}}, {x}, "expected min <= max");
    refuse<ModelError>("Gelu", {{"approximation_mode", "none"}}, {x}, "approximation_mode");
    refuse<ModelError>("LRN", {{"size", "0"}}, {x, ints({1})}, "size is 0; expected 1 to 1024");
    refuse<ModelError>("LRN", {{"size", "3"}}, {x, ints({2})}, "out of range for rank 2");
    refuse<ModelError>("OneHot", {{"axis", "3"}}, {x, x, x, x}, "axis is 3; expected -3 to 2");
    refuse<UnsupportedError>("Elu", {}, {parameter("2", ElementType::i32)},
                             "input 0 is i32; expected a floating");
    refuse<UnsupportedError>("Elu", {}, {parameter("2", ElementType::dynamic)},
                             "the type of input 0 isn't known");
    refuse<UnsupportedError>("LRN", {{"size", "3"}}, {x, unknown_ints("1")},
                             "the axes aren't constant");
    refuse<UnsupportedError>("PReLU", {}, {parameter("..."), parameter("2")},
                             "the rank of input 0 isn't known");
    EXPECT_NO_THROW(compose("PReLU", "opset1", {}, {parameter("..."), x}));
}

// A layer between an input and an output, with an attribute.
std::string file_with(const std::string& attribute) {
    const std::string port = "<port id=\"0\" precision=\"FP32\"><dim>2</dim></port>";
    return "<net name=\"m\" version=\"11\"><layers>"
           "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">"
           "<data shape=\"2\" element_type=\"f32\"/><output>" +
           port +
           "</output></layer>"
           "<layer id=\"1\" name=\"y\" type=\"Elu\" version=\"opset1\"><data " +
           attribute + "/><input>" + port + "</input><output>" +
           replaced(port, "id=\"0\"", "id=\"1\"") +
           "</output></layer><layer id=\"2\" name=\"r\" type=\"Result\" "
           "version=\"opset1\"><input>" +
           port +
           "</input></layer></layers><edges>"
           "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>"
           "<edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/></edges></net>";
}

TEST(ComposedOps, StandInFiles) {
    const auto graph = read_text(file_with("alpha=\"2\""));
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "y");
    expect_near(evaluate_graph(*graph, {floats({2}, {-1, 1})}).at(0),
                floats({2}, {2 * (std::exp(-1.0F) - 1), 1}), 1e-6);
    expect_error<UnsupportedError>([] { read_text(file_with("alfa=\"2\"")); },
                                   "layer 1 'y' (Elu): attribute 'alfa' (\"2\") is not known");
}

}  // namespace
}  // namespace rondo::ir::composed_ops_test
