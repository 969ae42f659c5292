#include "transformations/streaming/passes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/runtime/ports.hpp"
#include "rondo/core.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::part_outputs_test {
namespace {

using namespace test;  // NOLINT: tests only
using ::testing::ElementsAre;
using ::testing::Pair;

// x -> two GRUs, whose states "a" and "b" [1,N,3] are joined to "states" [2,N,3].
std::shared_ptr<Graph> joined_states() {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2,4]");
    std::vector<Output> states;
    for (const char* name : {"a", "b"}) {
        const auto gru = make_gru(b, std::string("gru_") + name, x, 4, 3);
        gru->set_input(gru->h_port(), b.transpose(b.input(name, "[1,2,3]"), {1, 0, 2}));
        gru->validate();
        b.output(std::string("y_") + name, gru->output(0));
        states.push_back(b.transpose(gru->output(1), {1, 0, 2}));
    }
    b.output("states", b.make<ops::Concat>("states", states, 0));
    return b.graph();
}

std::vector<std::string> output_names(const Graph& graph) {
    std::vector<std::string> names;
    for (const PortInfo& port : output_ports(graph)) names.push_back(port.any_name());
    return names;
}

TEST(PartOutputs, NamesOfParts) {
    EXPECT_EQ(part_name("state", 2), "state[2]");
    EXPECT_EQ(whole_name("state[2]"), "state");
    EXPECT_EQ(whole_name("a[1][12]"), "a[1]");
    for (const char* other : {"state", "state[]", "state[x]", "[2]", "state[2", "state2]", ""}) {
        EXPECT_EQ(whole_name(other), "") << other;
    }
}

TEST(PartOutputs, EachInputOfAConcatBecomesAnOutput) {
    const auto graph = joined_states();
    EXPECT_TRUE(part_outputs(*graph));
    graph->validate();
    EXPECT_THAT(output_names(*graph), ElementsAre("y_a", "y_b", "states[0]", "states[1]"));
    EXPECT_FALSE(part_outputs(*graph));
}

TEST(PartOutputs, StatesThatAreJoinedAreFoundAndKept) {
    Model model(joined_states());
    const auto pairs = model.find_states().pairs;
    EXPECT_THAT(pairs, ElementsAre(Pair("a", "states[0]"), Pair("b", "states[1]")));
    Model kept = model.clone();
    kept.make_stateful();
    EXPECT_EQ(kept.inputs().size(), 1U);
    EXPECT_EQ(kept.outputs().size(), 2U);
    auto alone = Core().compile_model(model).create_infer_request();
    auto request = Core().compile_model(kept).create_infer_request();
    Rng rng = test_rng();
    for (const char* state : {"a", "b"}) {
        alone.set_tensor(state, Tensor(ElementType::f32, {1, 2, 3}));
    }
    for (int step = 0; step < 3; ++step) {
        const Tensor x = random_tensor(ElementType::f32, {2, 2, 4}, rng);
        alone.set_tensor("x", x);
        request.set_tensor("x", x);
        alone.infer();
        request.infer();
        for (const char* y : {"y_a", "y_b"}) {
            expect_same(request.get_tensor(y), alone.get_tensor(y));
        }
        Tensor a(ElementType::f32, {1, 2, 3});
        Tensor b(ElementType::f32, {1, 2, 3});
        const Tensor states = alone.get_tensor("states");
        std::copy_n(states.data<float>(), 6, a.data<float>());
        std::copy_n(states.data<float>() + 6, 6, b.data<float>());
        alone.set_tensor("a", a);
        alone.set_tensor("b", b);
    }
}

// As in ONNX, where every tensor has a name.
TEST(PartOutputs, PartsWithNamesOfTheirOwnAreFound) {
    const auto graph = joined_states();
    const Node& concat = graph->results()[2]->input(0).node();
    concat.input(0).add_names({"38"});
    concat.input(1).add_names({"tensor", "39"});
    Model model(graph);
    EXPECT_THAT(model.find_states().pairs,
                ElementsAre(Pair("a", "states[0]"), Pair("b", "states[1]")));
    model.make_stateful();
    EXPECT_EQ(model.inputs().size(), 1U);
    EXPECT_THAT(output_names(*model.graph()), ElementsAre("y_a", "y_b"));
}

// A part that no pair names stays as an output.
TEST(PartOutputs, OnePartMayBeAPair) {
    Model model(joined_states());
    model.make_stateful({{"b", "states[1]"}});
    EXPECT_THAT(output_names(*model.graph()), ElementsAre("y_a", "y_b", "states[0]"));
    expect_error<ModelError>(
        [] {
            Model(joined_states()).make_stateful({{"a", "states[2]"}});
        },
        "states[2]");
    expect_error<ModelError>(
        [] {
            Model(joined_states()).make_stateful({{"a", "y_a[0]"}});
        },
        "y_a[0]");
}

}  // namespace
}  // namespace rondo::passes::part_outputs_test
