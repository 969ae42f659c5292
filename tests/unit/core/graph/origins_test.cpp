#include "core/graph/origins.hpp"

#include <gtest/gtest.h>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/ops.hpp"

namespace rondo::origins_test {
namespace {

using test::parameter;

NodeOriginPtr origin(const std::string& name, const std::string& type) {
    return std::make_shared<NodeOrigin>(NodeOrigin{NodeOrigin::Kind::node, name, type});
}

NodePtr tanh(const Output& x, const std::string& name, const NodeOriginPtr& from = nullptr) {
    auto node = make_node<ops::Unary>(ops::UnaryFunction::tanh, x);
    node->set_name(name);
    node->set_origin(from);
    return node;
}

std::shared_ptr<Graph> graph_of(const Output& x, const Output& y) {
    const auto result = make_node<ops::Result>(y);
    result->set_name("y/result");
    return std::make_shared<Graph>("g", std::vector<NodePtr>{x.node_ptr()},
                                   std::vector<NodePtr>{result});
}

TEST(Origins, AreGivenUpToNodesThatHaveOne) {
    const Output x = parameter("2");
    const auto first = tanh(x, "first", origin("f", "F"));
    const auto second = tanh(first, "second");
    const auto third = tanh(second, "third");
    give_origin(third, origin("t", "T"));
    EXPECT_EQ(first->origin()->name, "f");
    EXPECT_EQ(second->origin()->name, "t");
    EXPECT_EQ(third->origin()->name, "t");
}

TEST(Origins, NodesWithoutOneAreTheirOwnOrTakeThatOfReaders) {
    const Output x = parameter("2");
    x.node().set_name("x");
    const auto first = tanh(x, "first");
    const auto graph = graph_of(x, first);
    claim_origins(*graph);
    EXPECT_EQ(first->origin(), NodeOrigin::itself());
    const auto before = tanh(x, "before");
    first->set_input(0, before);
    const auto behind = tanh(first, "behind");
    graph->results()[0]->set_input(0, behind);
    inherit_origins(*graph);
    EXPECT_EQ(describe(*before), "node 'first' (Tanh, as Tanh 'before')");
    EXPECT_EQ(describe(*behind), "node 'first' (Tanh, as Tanh 'behind')");
}

TEST(Origins, NodesOfBodiesTakeThatOfTheNodeThatHasThem) {
    const Output x = parameter("2");
    const Output inner = parameter("2");
    const auto body = graph_of(inner, tanh(inner, "in_body"));
    const Output condition = parameter("", ElementType::boolean);
    ops::BodyPorts ports;
    ports.inputs = {{1, 0, {}, {}}};
    ports.outputs = {{0, 0, {}}};
    const auto choice = std::make_shared<ops::If>();
    choice->set_body(0, body, ports);
    choice->set_body(1, body->clone(), ports);
    choice->set_inputs({condition, x});
    choice->validate();
    choice->set_name("choice");
    choice->set_origin(NodeOrigin::itself());
    const auto result = make_node<ops::Result>(Output(choice));
    Graph graph("g", {condition.node_ptr(), x.node_ptr()}, {result});
    inherit_origins(graph);
    const Node& in_body = body->results()[0]->input(0).node();
    EXPECT_EQ(describe(in_body), "node 'choice' (If, as Tanh 'in_body')");
}

}  // namespace
}  // namespace rondo::origins_test
