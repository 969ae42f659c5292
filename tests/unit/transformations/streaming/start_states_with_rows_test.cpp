#include "transformations/streaming/passes.hpp"

#include <gtest/gtest.h>

#include "rondo/core.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::start_states_with_rows_test {
namespace {

using namespace test;  // NOLINT: tests only

// x -> GRU -> y, whose state [D,N,H] is read from a variable and assigned to it.
struct Stateful {
    GraphBuilder b;
    Output x = b.input("x", "[?,?,4]");
    std::shared_ptr<ops::GRUSequence> gru = make_gru(b, "gru", x, 4, 3);

    void start_from(const Output& h0) {
        gru->set_input(gru->h_port(), h0);
        gru->validate();
    }
    std::shared_ptr<Graph> graph(const std::string& id) {
        b.assign(id, b.transpose(gru->output(1), {1, 0, 2}));
        b.output("y", gru->output(0));
        return b.graph();
    }
};

TEST(StartStatesWithRows, GivesZerosWithTheRowsOfX) {
    Stateful model;
    model.start_from(model.b.transpose(model.b.read("h", "[1,?,3]"), {1, 0, 2}));
    const auto graph = model.graph("h");
    EXPECT_TRUE(start_states_with_rows(*graph));
    graph->validate();
    const auto& init = find<ops::ReadValue>(*graph, "read_h").input(0);
    EXPECT_EQ(init.node().type_name(), "Broadcast");
    expect_unchanged(*graph, start_states_with_rows);
}

// Without the pass the first inference fails: the variable has no row.
TEST(StartStatesWithRows, LetsAModelStart) {
    Stateful model;
    model.start_from(model.b.transpose(model.b.read("h", "[1,?,3]"), {1, 0, 2}));
    const auto graph = model.graph("h");
    Rng rng = test_rng();
    const Tensor x = random_tensor(ElementType::f32, {5, 2, 4}, rng);
    for (const char* device : {"REFERENCE", "CPU"}) {
        auto request = Core().compile_model(Model(graph), device).create_infer_request();
        request.set_input_tensor(x);
        request.infer();
        const Tensor first = request.get_output_tensor();
        EXPECT_EQ(first.shape(), (Shape{2, 1, 5, 3}));
        request.reset_state();
        request.infer();
        expect_same(request.get_output_tensor(), first);
    }
}

TEST(StartStatesWithRows, LeavesOtherVariables) {
    Stateful with_init;
    const Output init = with_init.b.input("h0", "[?,1,3]");
    with_init.start_from(with_init.b.read("h", "[?,1,3]", {init}));
    with_init.b.assign("h", with_init.gru->output(1));
    with_init.b.output("y", with_init.gru->output(0));
    expect_unchanged(*with_init.b.graph(), start_states_with_rows);

    Stateful known;
    known.start_from(known.b.read("h", "[2,1,3]"));
    known.b.assign("h", known.gru->output(1));
    known.b.output("y", known.gru->output(0));
    expect_unchanged(*known.b.graph(), start_states_with_rows);

    GraphBuilder other;  // no layer
    const Output value = other.read("v", "[?,3]");
    other.assign("v", add(other, value, other.input("x", "[?,3]")));
    other.output("y", value);
    expect_unchanged(*other.graph(), start_states_with_rows);
}

}  // namespace
}  // namespace rondo::passes::start_states_with_rows_test
