// Tests a part of frontend/onnx/node_places.hpp.
#include "frontend/onnx/node_places.hpp"

#include <gtest/gtest.h>
#include <rondo_onnx.pb.h>

#include <string>
#include <vector>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::onnx::node_order_test {
namespace {

using rondo_onnx::GraphProto;
using rondo_onnx::NodeProto;

NodeProto& add(GraphProto& graph, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs, const std::string& name) {
    NodeProto& node = *graph.add_node();
    node.set_op_type("Op");
    node.set_name(name);
    for (const auto& input : inputs) node.add_input(input);
    for (const auto& output : outputs) node.add_output(output);
    return node;
}

GraphProto& add_body(NodeProto& node) {
    auto& attribute = *node.add_attribute();
    attribute.set_name("body");
    return *attribute.mutable_g();
}

using Order = std::vector<int>;

TEST(NodeOrder, KeepsTheFilesOrderWhereItIsOne) {
    GraphProto graph;
    add(graph, {"x"}, {"a"}, "first");
    add(graph, {"y"}, {"b"}, "second");
    add(graph, {"b", "a"}, {"c"}, "third");
    EXPECT_EQ(node_order(graph), (Order{0, 1, 2}));
}

TEST(NodeOrder, PutsMakersInFront) {
    GraphProto graph;
    add(graph, {"b", ""}, {"c"}, "last");
    add(graph, {"x"}, {"other"}, "other");
    add(graph, {"a"}, {"b"}, "middle");
    add(graph, {"x"}, {"a", ""}, "first");
    EXPECT_EQ(node_order(graph), (Order{3, 2, 0, 1}));
}

TEST(NodeOrder, LooksIntoBodies) {
    GraphProto graph;
    GraphProto& body = add_body(add(graph, {"x"}, {"y"}, "if"));
    GraphProto& inner = add_body(add(body, {}, {"c"}, "inner if"));
    add(inner, {"a"}, {"d"}, "reads");
    inner.add_output()->set_name("d");
    body.add_output()->set_name("c");
    add(graph, {"x"}, {"a"}, "makes");
    EXPECT_EQ(node_order(graph), (Order{1, 0}));
}

TEST(NodeOrder, NamesOfABodyAreItsOwn) {
    GraphProto graph;
    GraphProto& body = add_body(add(graph, {"x"}, {"y"}, "loop"));
    body.add_input()->set_name("a");
    body.add_initializer()->set_name("b");
    add(body, {"a", "b"}, {"c"}, "reads");
    body.add_output()->set_name("c");
    add(graph, {"y"}, {"a"}, "makes a");
    add(graph, {"y"}, {"b"}, "makes b");
    add(graph, {"y"}, {"c"}, "makes c");
    EXPECT_EQ(node_order(graph), (Order{0, 1, 2, 3}));
}

TEST(NodeOrder, TakesLongChains) {
    GraphProto graph;
    constexpr int kNodes = 100'000;
    for (int i = 0; i < kNodes; ++i) {
        add(graph, {"t" + std::to_string(i + 1)}, {"t" + std::to_string(i)}, "");
    }
    const Order order = node_order(graph);
    EXPECT_EQ(order.front(), kNodes - 1);
    EXPECT_EQ(order.back(), 0);
}

TEST(NodeOrder, RefusesCircles) {
    GraphProto graph;
    add(graph, {"x", "b"}, {"a"}, "one");
    add(graph, {"a"}, {"b"}, "two");
    test::expect_error<ModelError>([&] { node_order(graph); },
                                   "node 'two' (Op): it reads the tensor 'a', which is made from "
                                   "its own outputs; nodes may not form a circle");
}

}  // namespace
}  // namespace rondo::onnx::node_order_test
