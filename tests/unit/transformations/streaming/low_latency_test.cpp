#include "transformations/streaming/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/state/variables.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/state_steps.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::low_latency_test {
namespace {

using namespace test;  // NOLINT: tests only

bool with_zeros(Graph& graph) { return low_latency(graph, true); }
bool with_starts(Graph& graph) { return low_latency(graph, false); }

TEST(LowLatency, AWalkKeepsItsValues) {
    const auto graph = running_sum(false, "1,4,2", "1,2");
    EXPECT_TRUE(with_zeros(*graph));
    const auto variables = ops::variables_of(*graph);
    ASSERT_EQ(variables.size(), 1U);
    EXPECT_EQ(variables[0].id, "walk/h/variable_1");
    EXPECT_FALSE(variables[0].read->has_init());
    EXPECT_EQ(graph->parameters().size(), 2U);  // h0 stays, as in OpenVINO
    EXPECT_EQ(count_nodes(*graph, "TensorIterator"), 1U);
    expect_unchanged(*graph, with_zeros);
}

TEST(LowLatency, AWalkOfOneStepIsUnrolled) {
    const auto graph = running_sum(false, "1,1,2", "1,2");
    EXPECT_TRUE(with_zeros(*graph));
    EXPECT_EQ(count_nodes(*graph, "TensorIterator"), 0U);
    const Model model(graph);
    const Tensor x = tensor_of<float>({1, 1, 2}, {1, 2});
    const Tensor h = tensor_of<float>({1, 2}, {100, 100});
    const auto steps = steps_of(model, "CPU", {{{"x", x}, {"h0", h}}, {{"x", x}, {"h0", h}}});
    expect_same(steps[1].at("last"), tensor_of<float>({1, 2}, {2, 4}));
}

// The first inference starts as it did before, the second where the first one ended.
TEST(LowLatency, MayKeepTheStart) {
    const auto graph = running_sum(false, "?,?,2", "?,2");
    EXPECT_TRUE(with_starts(*graph));
    expect_unchanged(*graph, with_starts);
    const Tensor x = tensor_of<float>({1, 2, 2}, {1, 2, 3, 4});
    const Tensor h = tensor_of<float>({1, 2}, {100, 100});
    const auto steps =
        steps_of(Model(graph), "CPU", {{{"x", x}, {"h0", h}}, {{"x", x}, {"h0", h}}});
    expect_same(steps[0].at("last"), tensor_of<float>({1, 2}, {104, 106}));
    expect_same(steps[1].at("last"), tensor_of<float>({1, 2}, {108, 112}));
}

// One output of the model for each of two loop-carried values; one of them had no output.
TEST(LowLatency, ValuesWithoutAnOutputAreKeptToo) {
    GraphBuilder body;
    const Output part = body.input("part", "1,1,2");
    const Output a = body.input("a", "1,2");
    const Output c = body.input("c", "1,2");
    const Output next = add(body, body.squeeze(part, {1}), a);
    body.output("next", next);
    body.output("sum", add(body, next, c));
    GraphBuilder b;
    const Output start = b.constant(Tensor(ElementType::f32, {1, 2}));
    const auto node = b.make<ops::TensorIterator>(
        "walk", std::vector<Output>{b.input("x", "[1,3,2]"), start}, body.graph(),
        ops::BodyPorts{{{0, 0, ops::PartRange{1}, {}}, {1, 1, {}, 0}, {1, 2, {}, 1}},
                       {{0, 1, {}}}});
    b.output("y", node->output(0));
    const auto graph = b.graph();
    EXPECT_TRUE(with_zeros(*graph));
    ASSERT_EQ(ops::variables_of(*graph).size(), 2U);
    const Tensor x = tensor_of<float>({1, 3, 2}, {1, 1, 1, 1, 1, 1});
    const auto steps = steps_of(Model(graph), "CPU", {{{"x", x}}, {{"x", x}}});
    EXPECT_EQ(element_at(steps[0].at("y"), 0), 1 + 2 + 3);
    EXPECT_EQ(element_at(steps[1].at("y"), 0), 1 + 2 + 3 + 4 + 5 + 6);
}

TEST(LowLatency, AListGrowsFromStepToStep) {
    for (const auto& pass : {with_zeros, with_starts}) {
        const auto graph = growing_list();
        EXPECT_TRUE(pass(*graph));
        const Tensor x = tensor_of<float>({1, 2, 2}, {1, 2, 3, 4});
        const auto steps = steps_of(Model(graph), "CPU", {{{"x", x}}, {{"x", x}}});
        expect_same(steps[0].at("list"), tensor_of<float>({2, 2}, {1, 2, 3, 4}));
        expect_same(steps[1].at("list"), tensor_of<float>({4, 2}, {1, 2, 3, 4, 1, 2, 3, 4}));
    }
}

TEST(LowLatency, LayersKeepTheirStates) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,?,4]"), 4, 3);
    b.output("y", onnx_y(b, gru));
    const auto whole = b.graph();
    const auto kept = whole->clone();
    EXPECT_TRUE(with_zeros(*kept));
    EXPECT_EQ(ops::variables_of(*kept)[0].id, "gru/variable_0");
    expect_unchanged(*kept, with_zeros);
    Rng rng = test_rng();
    const Tensor x = random_tensor(ElementType::f32, {6, 2, 4}, rng);
    const Tensor y = steps_of(Model(whole), "CPU", {{{"x", x}}})[0].at("y");
    auto request = Core().compile_model(Model(kept), "CPU").create_infer_request();
    for (std::size_t at = 0; at < 6; at += 3) {
        request.set_input_tensor(
            Tensor(ElementType::f32, {3, 2, 4}, const_cast<float*>(x.data<float>()) + at * 8));
        request.infer();
        expect_same(
            request.get_output_tensor(),
            Tensor(ElementType::f32, {3, 1, 2, 3}, const_cast<float*>(y.data<float>()) + at * 6));
    }
}

TEST(LowLatency, LeavesStatesThatAreKept) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3);
    gru->set_input(gru->h_port(), b.transpose(b.read("h", "[1,2,3]"), {1, 0, 2}));
    gru->validate();
    b.assign("h", b.transpose(gru->output(1), {1, 0, 2}));
    b.output("y", gru->output(0));
    const auto graph = b.graph();
    expect_unchanged(*graph, with_zeros);
    expect_unchanged(*graph, with_starts);
}

// OpenVINO converts these, too, and then gives other numbers.
TEST(LowLatency, RefusesWhatRunsBackwards) {
    const auto walk = running_sum(true, "1,4,2", "1,2");
    expect_error<UnsupportedError>([&] { with_zeros(*walk); },
                                   "node 'walk' (TensorIterator): its values can't be kept");
    GraphBuilder b;
    const auto gru =
        make_gru(b, "gru", b.input("x", "[?,2,4]"), 4, 3, ops::Direction::bidirectional);
    b.output("y", gru->output(0));
    const auto graph = b.graph();
    expect_error<UnsupportedError>([&] { with_zeros(*graph); },
                                   "node 'gru' (GRUSequence): its state can't be kept");
    EXPECT_EQ(count_nodes(*graph, "ReadValue"), 0U);
}

TEST(LowLatency, LeavesLoopsThatRunOften) {
    expect_unchanged(*count_loop(), with_zeros);
    const auto once = count_loop();
    GraphBuilder b;
    auto& loop = find<ops::Loop>(*once, "loop");
    loop.set_input(0, i64(b, 1));
    loop.set_input(1, flag(b, true));
    loop.set_special_ports({0, {}});
    Graph graph("once", {once->parameters()[2], once->parameters()[3]}, once->results());
    EXPECT_TRUE(with_zeros(graph));
    EXPECT_EQ(count_nodes(graph, "Loop"), 0U);
    EXPECT_EQ(ops::variables_of(graph).size(), 2U);
}

}  // namespace
}  // namespace rondo::passes::low_latency_test
