#include "core/ir/layer_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/graph/inference.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::port_map_test {
namespace {

using namespace test;  // NOLINT: tests only

std::string fixture(const std::string& name) {
    return RONDO_SOURCE_DIR "/tests/data/ir/openvino_" + name;
}

std::shared_ptr<Graph> read_changed(const std::string& name, const std::string& from,
                                    const std::string& to) {
    return read_text(replaced(bytes_of(fixture(name) + ".xml"), from, to),
                     bytes_tensor(fixture(name) + ".bin"));
}

void expect_round_trip(const Graph& graph) {
    const TemporaryFolder folder;
    ir::write(graph, folder / "m.xml");
    const auto again = read_file(folder / "m.xml");
    check_graph(*again);
    EXPECT_EQ(to_text(*again), to_text(graph));
}

TEST(PortMap, HasANameForEachBody) {
    EXPECT_EQ(ir::port_map_name("body"), "port_map");
    EXPECT_EQ(ir::port_map_name("then_body"), "then_port_map");
}

TEST(PortMap, RoundTripsEveryOpWithBodies) {
    expect_round_trip(*count_loop());
    expect_round_trip(*running_sum());
    expect_round_trip(*running_sum(true));
    expect_round_trip(*choice());
    for (const char* name : {"loop", "tensor_iterator", "if"}) {
        expect_round_trip(*read_file(fixture(name) + ".xml"));
    }
}

TEST(PortMap, RoundTripsBodiesInBodies) {
    GraphBuilder outer;
    const Output x = outer.input("x", "2,3,2");
    const auto inner = running_sum(false, "2,3,2", "2,2");
    GraphBuilder body;
    const Output rows = body.input("rows", "...");
    const auto walk = find<ops::TensorIterator>(*inner, "walk")
                          .clone_with({rows, body.constant(Tensor(ElementType::f32, {2, 2}))});
    walk->set_name("inner");
    body.output("more", flag(body, true));
    body.output("all", walk->output(1));
    const auto loop = outer.make<ops::Loop>(
        "loop", std::vector<Output>{i64(outer, 2), flag(outer, true), x}, body.graph(),
        ops::BodyPorts{{{2, 0, {}, 1}}, {{0, 1, {}}}}, ops::LoopPorts{{}, 0});
    outer.output("y", loop->output(0));
    expect_round_trip(*outer.graph());
}

// Loop and If: what OpenVINO 2026.4 computes. Its CPU device forgets the state of a TensorIterator
// after a Squeeze of the part, so that one is computed here.
TEST(PortMap, ReadsOpenVinosFilesAndComputesTheSame) {
    Tensor x(ElementType::f32, {2, 3, 4});
    for (std::size_t i = 0; i < 24; ++i) x.data<float>()[i] = static_cast<float>(i) / 10;
    const Tensor h = tensor_of<float>({2, 4}, {0, 0.1F, 0.2F, 0.3F, 1.2F, 1.3F, 1.4F, 1.5F});
    const auto walked = evaluate_graph(*read_file(fixture("tensor_iterator") + ".xml"), {x, h});
    for (std::size_t n = 0; n < 2; ++n) {
        for (std::size_t i = 0; i < 4; ++i) {
            float state = h.data<float>()[n * 4 + i];
            for (std::size_t t = 0; t < 3; ++t) {
                state = std::tanh(x.data<float>()[(n * 3 + t) * 4 + i] + state);
            }
            EXPECT_NEAR(walked[0].data<float>()[n * 4 + i], state, 1e-6F);
        }
    }
    EXPECT_EQ(walked[1].shape(), (Shape{2, 3, 4}));

    const auto loop = read_file(fixture("loop") + ".xml");
    const Tensor row = tensor_of<float>({1, 4}, {0, 0.1F, 0.2F, 0.3F});
    const auto looped = evaluate_graph(*loop, {row, scalar_of<std::int64_t>(3)});
    expect_near(looped[0],
                tensor_of<float>({1, 4}, {2.94675708F, 2.96993613F, 2.98311186F, 2.99054098F}),
                1e-6);
    EXPECT_EQ(looped[1].shape(), (Shape{3, 4}));
    EXPECT_EQ(evaluate_graph(*loop, {row, scalar_of<std::int64_t>(9)})[1].shape(), (Shape{5, 4}));
    EXPECT_EQ(evaluate_graph(*loop, {row, scalar_of<std::int64_t>(0)})[1].shape(), (Shape{0, 4}));

    const auto choice = read_file(fixture("if") + ".xml");
    expect_near(evaluate_graph(*choice, {row, scalar_of<bool>(false)})[0],
                tensor_of<float>({1, 4}, {0, 0.2F, 0.4F, 0.6F}), 1e-6);
}

TEST(PortMap, RefusesPortsAndLayersThatAreNotThere) {
    const auto broken = [](const std::string& from, const std::string& to, const char* message) {
        SCOPED_TRACE(to);
        expect_error<ModelError>([&] { read_changed("loop", from, to); }, message);
    };
    const std::string edge = "<edge from-layer=\"11\" to-layer=\"1\" />";
    const std::string input = "<input external_port_id=\"2\" internal_layer_id=\"1\" />";
    broken(input, "<input external_port_id=\"9\" internal_layer_id=\"1\" />",
           "the input of external_port_id 9 is not a port of layer 4 'loop' (Loop)");
    broken(input, "<input external_port_id=\"2\" internal_layer_id=\"11\" />",
           "layer 11 is not a Parameter of the body");
    broken(input, "<input internal_layer_id=\"1\" />", "'external_port_id' is missing");
    broken(input, "<input axis=\"x\" external_port_id=\"2\" internal_layer_id=\"1\" />",
           "attribute 'axis' is 'x'; expected a whole number");
    broken(input, "", "the Parameter of layer 1 has no input for the first iteration");
    broken(edge, edge + edge, "the Parameter of layer 1 has two back edges");
    broken(edge, "<edge from-layer=\"3\" to-layer=\"1\" />", "layer 3 is not a Result of the body");
    broken("<body>", "<corpse>", "line");
    expect_error<UnsupportedError>(
        [] { read_changed("loop", "current_iteration", "something_else"); },
        "the purpose 'something_else' is not known for Loop");
    expect_error<ModelError>([] { read_changed("if", "<then_body>", "<then_body/><old_body>"); },
                             "line");
}

TEST(PortMap, NamesUnknownTypesInBodies) {
    expect_error<UnsupportedError>([] { read_changed("if", "type=\"Tanh\"", "type=\"Tonh\""); },
                                   "unsupported layer types: 'Tonh' (opset1)");
}

TEST(PortMap, RefusesBodiesThatNestTooDeep) {
    std::string xml = "<net name='n' version='11'><layers>";
    const std::string open =
        "<layer id='0' name='l' type='If' version='opset8'><then_body><layers>";
    for (int i = 0; i < 2000; ++i) xml += open;
    for (int i = 0; i < 2000; ++i) xml += "</layers></then_body></layer>";
    // Only layers that something reads count.
    xml += "</layers></net>";
    expect_error<ModelError>([&] { read_text(xml); }, "the net has no Result layer");
    const std::string needed =
        "<layer id='1' name='r' type='Result' version='opset1'><input><port id='0'/></input>"
        "</layer></layers><edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>"
        "</edges>";
    std::string nested = "<net name='n' version='11'><layers>";
    for (int i = 0; i < 40; ++i) {
        nested +=
            "<layer id='0' name='l' type='If' version='opset8'>"
            "<output><port id='0'/></output><then_body><layers>";
    }
    nested +=
        "<layer id='0' name='l' type='If' version='opset8'><output><port id='0'/></output>"
        "</layer>" +
        needed;
    for (int i = 0; i < 40; ++i) nested += "</then_body></layer>" + needed;
    nested += "</net>";
    expect_error<UnsupportedError>([&] { read_text(nested); },
                                   "bodies are nested too deep; the limit is 24");
}

}  // namespace
}  // namespace rondo::port_map_test
