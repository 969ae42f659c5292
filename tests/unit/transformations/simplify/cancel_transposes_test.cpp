#include "transformations/simplify/passes.hpp"

#include <gmock/gmock.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::cancel_transposes_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_unchanged;
using test::GraphBuilder;

// Represents a recurrent layer, whose axes must not change: a softmax over H.
Output layer(GraphBuilder& b, const std::string& name, const Output& x) {
    return b.make<ops::Softmax>(name, x, -1);
}

// What follows an ONNX LSTM and comes before the next: [N,1,T,H] -> [T,N,H].
Output time_major(GraphBuilder& b, const Output& y) {
    return b.squeeze(b.transpose(y, {2, 1, 0, 3}), {1});
}

TEST(CancelTransposes, StackedLayersMeetWithoutTransposes) {
    // Y [?,1,?,4] -> (2,1,0,3) -> Squeeze 1 -> (1,0,2) -> layer   =>   Y -> Squeeze 1 -> layer
    GraphBuilder b;
    const Output y = layer(b, "first", b.input("x", "[?,1,?,4]"));
    b.output("z", layer(b, "second", b.transpose(time_major(b, y), {1, 0, 2})));
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
    EXPECT_EQ(count_nodes(*graph, "Squeeze"), 1U);
    EXPECT_EQ(graph->ordered_nodes().size(), 6U);
}

TEST(CancelTransposes, OthersKeepTheirCopyOfTheChain) {
    // The same, where the time-major values are an output too.
    GraphBuilder b;
    const Output inner = time_major(b, layer(b, "first", b.input("x", "[2,1,3,4]")));
    b.output("inner", inner);
    b.output("z", layer(b, "second", b.transpose(inner, {1, 0, 2})));
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 1U);
    const Node& second = graph->results()[1]->input(0).node();
    EXPECT_EQ(second.input(0).node().input(0).node().name(), "first");
}

TEST(CancelTransposes, BothDirectionsAreOneTransposeApart) {
    // Y [?,2,?,4] -> (2,0,1,3) -> Reshape [0,0,-1] -> (1,0,2)   =>   Y -> (0,2,1,3) -> [0,0,-1]
    GraphBuilder b;
    const Output y = layer(b, "first", b.input("x", "[?,2,?,4]"));
    const Output merged = b.reshape(b.transpose(y, {2, 0, 1, 3}), {0, 0, -1});
    b.output("z", layer(b, "second", b.transpose(merged, {1, 0, 2})));
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 1U);
    EXPECT_EQ(count_nodes(*graph, "Reshape"), 1U);
}

TEST(CancelTransposes, PassesALinearLayer) {
    // ... -> Squeeze -> MatMul -> Add bias -> relu -> (1,0,2) -> layer
    GraphBuilder b;
    test::Rng rng(1);
    const Output w = b.constant(test::random_tensor(ElementType::f32, {4, 5}, rng));
    const Output bias = b.constant(test::random_tensor(ElementType::f32, {5}, rng));
    const Output rows = time_major(b, layer(b, "first", b.input("x", "[?,1,?,4]")));
    const Output linear = b.make<ops::Binary>("add", ops::BinaryFunction::add,
                                              b.make<ops::MatMul>("matmul", rows, w), bias);
    const Output relu = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, linear);
    b.output("z", layer(b, "second", b.transpose(relu, {1, 0, 2})));
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
    EXPECT_EQ(graph->results()[0]->input(0).node().input(0).node().name(), "relu");
}

TEST(CancelTransposes, ResidualsTakeAllLayersAlong) {
    // h1 = tm(L1(x)); h2 = tm(L2(bm(h1))) + h1; h3 = tm(L3(bm(h2))) + h2; bm(h3) -> last
    GraphBuilder b;
    const auto step = [&](const std::string& name, const Output& x) {
        return time_major(b, layer(b, name, b.unsqueeze(x, {1})));
    };
    Output h = step("l1", b.input("x", "[?,?,4]"));
    for (const char* name : {"l2", "l3"}) {
        h = b.make<ops::Binary>("", ops::BinaryFunction::add, step(name, b.transpose(h, {1, 0, 2})),
                                h);
    }
    b.output("z", layer(b, "last", b.transpose(h, {1, 0, 2})));
    const auto graph = b.graph();
    expect_rewritten(*graph, [](Graph& g) {
        bool changed = false;
        while (cancel_transposes(g)) {
            g.validate();
            changed = true;
        }
        return changed;
    });
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
    EXPECT_EQ(count_nodes(*graph, "Add"), 2U);
}

TEST(CancelTransposes, ASharedOpIsMovedAndTurnedBackForOthers) {
    // relu((1,0) x1 + (1,0) x2) is read by (1,0) and by softmax: three transposes become one.
    GraphBuilder b;
    const Output sum = b.make<ops::Binary>("sum", ops::BinaryFunction::add,
                                           b.transpose(b.input("x1", "[2,3]"), {1, 0}),
                                           b.transpose(b.input("x2", "[2,3]"), {1, 0}));
    b.output("y", b.make<ops::Unary>("tanh", ops::UnaryFunction::tanh, b.transpose(sum, {1, 0})));
    b.output("z", layer(b, "softmax", sum));
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 1U);
    EXPECT_EQ(count_nodes(*graph, "Add"), 1U) << "nothing may be computed twice";
}

TEST(CancelTransposes, ConstantsAreTransposedOnTheSpot) {
    GraphBuilder b;
    test::Rng rng(1);
    const Output c = b.constant(test::random_tensor(ElementType::f32, {3, 2}, rng));
    const Output sum = b.make<ops::Binary>("sum", ops::BinaryFunction::add,
                                           b.transpose(b.input("x", "[2,3]"), {1, 0}), c);
    b.output("y", layer(b, "softmax", b.transpose(sum, {1, 0})));
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
}

TEST(CancelTransposes, LeavesWhatWouldNotGetFewer) {
    GraphBuilder b;
    // No transpose above; an op between them that must not change; a tie.
    b.output("a",
             b.transpose(b.make<ops::Unary>("", ops::UnaryFunction::relu, b.input("x", "[2,3]")),
                         {1, 0}));
    b.output("b", b.transpose(layer(b, "", b.transpose(b.input("y", "[2,3]"), {1, 0})), {1, 0}));
    const Output shared = b.transpose(b.input("z", "[2,3,4]"), {1, 2, 0});
    b.output("c", shared);
    b.output("d", b.transpose(b.unsqueeze(shared, {0}), {0, 1, 3, 2}));
    // Alone under a shared op the transposes are two before and two after.
    const Output relu = b.make<ops::Unary>("", ops::UnaryFunction::relu,
                                           b.transpose(b.input("v", "[2,3]"), {1, 0}));
    b.output("e", b.reshape(relu, {6}));
    b.output("f", b.unsqueeze(relu, {0}));
    expect_unchanged(*b.graph(), cancel_transposes);
}

TEST(CancelTransposes, AViewKeepsInputAndOutputApart) {
    // x -> (1,0) -> Unsqueeze -> (1,2,0): nothing between the ports would be left but views
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    b.output("y", b.transpose(b.unsqueeze(b.transpose(x, {1, 0}), {0}), {2, 0, 1}));
    const auto graph = b.graph();
    expect_rewritten(*graph, cancel_transposes);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
}

}  // namespace
}  // namespace rondo::passes::cancel_transposes_test
