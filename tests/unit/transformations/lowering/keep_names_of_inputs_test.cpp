#include "transformations/lowering/passes.hpp"

#include <gtest/gtest.h>

#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::keep_names_of_inputs_test {
namespace {

using namespace test;  // NOLINT: tests only

// x -> Result "y" becomes x -> Convert -> Result "y".
TEST(KeepNamesOfInputs, PutsANodeBetweenInputAndOutput) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    const auto result = b.make<ops::Result>("y/result", x);
    result->output(0).set_names({"y"});
    Graph graph("test", {x.node_ptr()}, {result});
    expect_rewritten(graph, keep_names_of_inputs);
    EXPECT_EQ(count_nodes(graph, "Convert"), 1u);
}

// OpenVINO would know a tensor of two outputs by the names of the second alone.
TEST(KeepNamesOfInputs, PutsANodeBetweenTwoOutputsOfOneTensor) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    const Output turned = b.transpose(x, {1, 0});
    const auto result = [&](const std::string& name) {
        const auto node = b.make<ops::Result>(name + "/result", turned);
        node->output(0).set_names({name});
        return node;
    };
    Graph graph("test", {x.node_ptr()}, {result("y"), result("z")});
    expect_rewritten(graph, keep_names_of_inputs);
    EXPECT_EQ(count_nodes(graph, "Convert"), 1u);
    EXPECT_EQ(graph.results()[0]->input(0), turned);
}

TEST(KeepNamesOfInputs, LeavesOutputsOfNodesAndThoseWithoutNames) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    b.output("y", b.transpose(x, {1, 0}));
    expect_unchanged(*b.graph(), keep_names_of_inputs);
    GraphBuilder nameless;
    nameless.output("x", nameless.input("x", "[?,2]"));
    expect_unchanged(*nameless.graph(), keep_names_of_inputs);
}

}  // namespace
}  // namespace rondo::passes::keep_names_of_inputs_test
