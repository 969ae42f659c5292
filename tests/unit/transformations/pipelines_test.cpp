#include "transformations/pipelines.hpp"

#include <gmock/gmock.h>

#include <set>

#include "core/graph/printer.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/runtime/transforms.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::pipelines_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::GraphBuilder;
using test::make_gru;
using test::onnx_y;

// True where any pass changed the graph; checks it after each.
bool run_all(Graph& graph) {
    bool changed = false;
    TransformOptions options;
    options.validate = true;
    options.print = [&](const std::string& line) {
        changed |= line.find(": changed") != std::string::npos;
    };
    run_portable_passes(graph, options);
    return changed;
}

TEST(PortablePasses, HaveNamesAndReasons) {
    std::set<std::string> names;
    for (const auto& pass : portable_passes()) {
        EXPECT_TRUE(names.insert(pass.name).second) << pass.name;
        EXPECT_GT(std::string(pass.why).size(), 20U) << pass.name;
    }
    EXPECT_THAT(portable_pass_names(), testing::UnorderedElementsAreArray(names));
}

// Constants on both sides of the variables: were they folded, shared or removed, the state would
// go.
TEST(PortablePasses, LeaveVariablesAlone) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output one = b.constant(test::tensor_of<float>({2}, {1, 1}));
    const Output init = b.make<ops::Binary>("init", ops::BinaryFunction::add, one, one);
    const Output first = b.read("first", "[2]", {init});
    const Output second = b.read("second", "[2]", {init});
    const Output third = b.read("third", "[2]");
    b.assign("first", b.make<ops::Binary>("", ops::BinaryFunction::add, first, one));
    b.assign("second", b.make<ops::Binary>("", ops::BinaryFunction::add, second, one));
    b.assign("third", b.make<ops::Convert>("", second, ElementType::f32));
    b.assign("fourth", b.transpose(b.transpose(third, {0}), {0}));
    b.output("y", b.make<ops::Binary>("", ops::BinaryFunction::add, b.read("fourth", "[2]"), x));
    const auto graph = b.graph();
    EXPECT_TRUE(run_all(*graph));
    EXPECT_EQ(count_nodes(*graph, "ReadValue"), 4u);
    EXPECT_EQ(count_nodes(*graph, "Assign"), 4u);
    EXPECT_EQ(count_nodes(*graph, "Transpose") + count_nodes(*graph, "Convert"), 0u);
    EXPECT_EQ(count_nodes(*graph, "Add"), 3u);  // init alone was folded
    const auto variables = ops::variables_of(*graph);
    ASSERT_EQ(variables.size(), 4u);
    EXPECT_EQ(variables[2].assign->input(0), Output(variables[1].read));
    EXPECT_EQ(variables[3].assign->input(0), Output(variables[2].read));
    EXPECT_FALSE(run_all(*graph));
}

TEST(PortablePasses, EachIsIdempotentOnARealGraph) {
    for (const auto& pass : portable_passes()) {
        SCOPED_TRACE(pass.name);
        GraphBuilder b;
        const auto gru = make_gru(b, "gru", b.input("x", "[?,1,4]"), 4, 3);
        b.output("y", b.transpose(b.squeeze(onnx_y(b, gru), {1}), {1, 0, 2}));
        const auto graph = b.graph();
        if (pass.run(*graph)) graph->validate();
        test::expect_unchanged(*graph, pass.run);
    }
}

TEST(PortablePasses, StackedLayersMeetWithoutTransposes) {
    // x [?,?,4] -> GRU -> Squeeze -> GRU -> Squeeze -> y: one transpose at each end is left
    GraphBuilder b;
    Output data = b.input("x", "[?,?,4]");
    std::size_t width = 4;
    for (const char* name : {"first", "second", "third"}) {
        data = b.squeeze(onnx_y(b, make_gru(b, name, data, width, 3)), {1});
        width = 3;
    }
    b.output("y", data);
    const auto graph = b.graph();
    expect_rewritten(*graph, run_all);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 2U) << to_text(*graph);
    EXPECT_EQ(count_nodes(*graph, "ShapeOf"), 1U);
    EXPECT_EQ(count_nodes(*graph, "Gather"), 2U);
    EXPECT_EQ(count_nodes(*graph, "Broadcast"), 2U) << "the states and the lengths";
}

TEST(PortablePasses, BatchFirstModelsOfPyTorch) {
    // x [N,T,I] -> (1,0,2) -> GRU -> Squeeze -> GRU -> Squeeze -> (1,0,2) -> y
    GraphBuilder b;
    const Output x = b.transpose(b.input("x", "[?,?,4]"), {1, 0, 2});
    const Output h = b.squeeze(onnx_y(b, make_gru(b, "first", x, 4, 3)), {1});
    const Output y = b.squeeze(onnx_y(b, make_gru(b, "second", h, 3, 3)), {1});
    b.output("y", b.transpose(y, {1, 0, 2}));
    const auto graph = b.graph();
    expect_rewritten(*graph, run_all);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U) << to_text(*graph);
    EXPECT_EQ(count_nodes(*graph, "Squeeze"), 2U);
}

TEST(PortablePasses, BidirectionalLayers) {
    // Y [T,2,N,H] -> (0,2,1,3) -> Reshape [0,0,-1] -> the next layer
    GraphBuilder b;
    Output data = b.transpose(b.input("x", "[?,?,4]"), {1, 0, 2});
    std::size_t width = 4;
    for (const char* name : {"first", "second"}) {
        const auto gru = make_gru(b, name, data, width, 3, ops::Direction::bidirectional);
        data = b.reshape(b.transpose(onnx_y(b, gru), {0, 2, 1, 3}), {0, 0, -1});
        width = 6;
    }
    b.output("y", b.transpose(data, {1, 0, 2}));
    const auto graph = b.graph();
    expect_rewritten(*graph, run_all);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 2U) << to_text(*graph);
    EXPECT_EQ(count_nodes(*graph, "Reshape"), 2U);
}

TEST(PortablePasses, BatchOf1NeedsNoTransposeAtAll) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,1,4]"), 4, 3);
    b.output("y", onnx_y(b, gru));
    b.output("h", b.squeeze(b.transpose(gru->output(1), {1, 0, 2}), {0}));
    const auto graph = b.graph();
    expect_rewritten(*graph, run_all);
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U) << to_text(*graph);
    EXPECT_EQ(graph->results()[1]->input(0).node().input(0).node().name(), "gru");
}

TEST(PortablePasses, StatesAreViews) {
    // Ho [N,1,H] -> (1,0,2) -> Squeeze 0   =>   one view
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,?,4]"), 4, 3);
    b.output("h", b.squeeze(b.transpose(gru->output(1), {1, 0, 2}), {0}));
    const auto graph = b.graph();
    expect_rewritten(*graph, run_all);
    const Node& last = graph->results()[0]->input(0).node();
    EXPECT_EQ(last.input(0).node().name(), "gru");
    EXPECT_EQ(to_string(last.output_shape(0)), "[?,3]");
}

TEST(PortablePasses, EmptySequencesAndBatchesStayValid) {
    for (const Shape& shape : {Shape{0, 2, 4}, Shape{3, 0, 4}}) {
        GraphBuilder b;
        const auto first =
            make_gru(b, "first", b.input("x", "[?,?,4]"), 4, 3, ops::Direction::bidirectional);
        const Output h = b.reshape(b.transpose(onnx_y(b, first), {0, 2, 1, 3}), {0, 0, -1});
        b.output("y", onnx_y(b, make_gru(b, "second", h, 6, 3)));
        const auto graph = b.graph();
        expect_rewritten(*graph, run_all, {Tensor(ElementType::f32, shape)});
    }
}

// zeros_like(x.t()): the extents in another order have one form, which no pass changes again.
TEST(PortablePasses, FillsOfATransposedShapeSettle) {
    GraphBuilder b;
    const Output turned = b.transpose(b.input("x", "[?,?]"), {1, 0});
    b.output("y", b.make<ops::Broadcast>("fill", b.constant(test::scalar_of<float>(0)),
                                         b.make<ops::ShapeOf>("", turned)));
    const auto graph = b.graph();
    expect_rewritten(*graph, run_all);
    EXPECT_EQ(count_nodes(*graph, "Gather"), 1U) << to_text(*graph);
    EXPECT_EQ(count_nodes(*graph, "Transpose") + count_nodes(*graph, "Slice"), 0U);
}

TEST(PortablePasses, StopAfterKnowsTheirNames) {
    GraphBuilder b;
    b.output("y", b.transpose(b.input("x", "[2,3]"), {1, 0}));
    TransformOptions options;
    options.stop_after = "fold_everything";
    test::expect_error<ModelError>(
        [&] { run_portable_passes(*b.graph(), options); },
        "'fold_constants', 'unroll_if', 'unroll_loop', 'hoist_loop_invariants'");
}

}  // namespace
}  // namespace rondo::passes::pipelines_test
