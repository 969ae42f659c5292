#include "core/graph/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/graph/printer.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"

namespace rondo::graph_test {
namespace {

using test::expect_error;

constexpr std::size_t kLongChain = 200000;

NodePtr input(const std::string& name, std::string_view shape = "2") {
    const auto node = make_node<ops::Parameter>(ElementType::f32, PartialShape::parse(shape));
    node->set_name(name);
    return node;
}

NodePtr result(const Output& source, const std::string& name) {
    const auto node = make_node<ops::Result>(source);
    node->set_name(name);
    return node;
}

NodePtr concat(std::vector<Output> sources, const std::string& name) {
    const auto node = make_node<ops::Concat>(std::move(sources), 0);
    node->set_name(name);
    return node;
}

// The last of `length` nodes in a row.
NodePtr chain(NodePtr node, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) {
        node = make_node<ops::Convert>(Output(std::move(node), 0), ElementType::f32);
    }
    return node;
}

std::vector<std::string> names_of(const std::vector<NodePtr>& nodes) {
    std::vector<std::string> names;
    for (const auto& node : nodes) names.push_back(node->name());
    return names;
}

// a, b -> ab -> r;  ab, b -> abb -> s
std::shared_ptr<Graph> diamond() {
    const auto a = input("a");
    const auto b = input("b");
    const auto ab = concat({a, b}, "ab");
    const auto abb = concat({ab, b}, "abb");
    return std::make_shared<Graph>("diamond", std::vector{a, b},
                                   std::vector{result(ab, "r"), result(abb, "s")});
}

TEST(Graph, OrdersEveryNodeBehindItsInputs) {
    EXPECT_EQ(names_of(diamond()->ordered_nodes()),
              (std::vector<std::string>{"a", "b", "ab", "abb", "r", "s"}));
}

TEST(Graph, PutsSinksBeforeResults) {
    const auto a = input("a");
    const auto sink = result(concat({a, a}, "aa"), "sink");
    const Graph graph("g", {a}, {result(a, "r")}, {sink});
    EXPECT_EQ(names_of(graph.ordered_nodes()), (std::vector<std::string>{"a", "aa", "sink", "r"}));
}

TEST(Graph, SinksLiveAndAreCloned) {
    const auto a = input("a");
    auto assign = make_node<ops::Assign>(concat({a, a}, "aa"), "v");
    assign->set_name("assign");
    const auto graph = std::make_shared<Graph>("g", std::vector{a}, std::vector<NodePtr>{},
                                               std::vector<NodePtr>{std::move(assign)});
    EXPECT_NE(to_text(*graph).find("Assign-opset6(%1) {variable_id=v}"), std::string::npos)
        << to_text(*graph);
    const auto copy = graph->clone();
    EXPECT_EQ(to_text(*copy), to_text(*graph));
    ASSERT_EQ(copy->sinks().size(), 1u);
    EXPECT_NE(copy->sinks()[0], graph->sinks()[0]);
}

TEST(Graph, OrdersClonesAndDestroysALongChain) {
    const auto a = input("a");
    std::vector<NodePtr> results{result(chain(a, kLongChain), "r")};
    const auto graph = std::make_shared<Graph>("long", std::vector{a}, std::move(results));
    EXPECT_EQ(graph->ordered_nodes().size(), kLongChain + 2);
    const auto copy = graph->clone();
    EXPECT_EQ(copy->ordered_nodes().size(), kLongChain + 2);
}

TEST(Graph, LongChainsDieWithoutAGraphToo) {
    // A reader that fails half-way leaves such a chain.
    EXPECT_NE(chain(input("a"), kLongChain), nullptr);
}

TEST(Graph, LeavesNodesThatOthersHold) {
    const auto a = input("a");
    const auto kept = chain(a, 3);
    { const Graph graph("g", {a}, {result(kept, "r")}); }
    EXPECT_EQ(kept->input_count(), 1u);
    EXPECT_TRUE(kept->consumers(0).empty());
}

TEST(Graph, FindsCycles) {
    const auto a = input("a");
    const auto first = concat({a, a}, "first");
    const auto second = concat({first}, "second");
    first->set_input(1, second);
    const Graph graph("g", {a}, {result(second, "r")});
    expect_error<ModelError>([&] { (void)graph.ordered_nodes(); },
                             "(Concat): the graph has a cycle through this node");
    first->set_input(1, a);  // otherwise they would leak
    EXPECT_EQ(graph.ordered_nodes().size(), 4u);
}

TEST(Graph, InfersEverythingAnew) {
    const auto graph = diamond();
    const auto a = as<ops::Parameter>(graph->parameters()[0]);
    a->set_shape(PartialShape{7});
    graph->validate();
    EXPECT_EQ(to_string(graph->results()[1]->input(0).shape()), "[11]");
    a->set_shape(PartialShape::parse("7,7"));
    expect_error<ModelError>([&] { graph->validate(); }, "node 'ab' (Concat): input 1 has shape");
}

TEST(Graph, ClonesShareNothingButConstants) {
    const auto a = input("a");
    a->output(0).add_names({"x"});
    const auto constant = ops::make_i64({1}, "c");
    Graph graph("g", {a}, {result(a, "r"), result(constant, "s")});
    graph.rt_info()["key"] = "value";
    const auto copy = graph.clone();
    EXPECT_EQ(to_text(*copy), to_text(graph));
    EXPECT_EQ(copy->rt_info(), graph.rt_info());
    for (const auto& node : copy->ordered_nodes()) {
        const auto nodes = graph.ordered_nodes();
        EXPECT_EQ(std::find(nodes.begin(), nodes.end(), node), nodes.end()) << node->name();
    }
    const auto copied = as<ops::Constant>(copy->results()[1]->input(0));
    EXPECT_EQ(copied->value().data(), constant->value().data());
}

// Minutes where a consumer is looked for among the others.
TEST(Graph, ManyConsumersOfOneOutputLeaveInAnyOrder) {
    constexpr std::size_t kMany = 200000;
    const auto x = make_node<ops::Parameter>(ElementType::f32, PartialShape{1});
    const auto y = make_node<ops::Parameter>(ElementType::f32, PartialShape{1});
    const auto concat = std::make_shared<ops::Concat>(std::vector<Output>(kMany, x), 0);
    ASSERT_EQ(x->consumers(0).size(), kMany);
    for (std::size_t i = 0; i < kMany; i += 2) concat->set_input(i, y);
    EXPECT_EQ(x->consumers(0).size(), kMany / 2);
    EXPECT_EQ(x->consumers(0).front(), (Consumer{concat.get(), 1}));
    x->output(0).replace_with(y);
    EXPECT_FALSE(x->has_consumers());
    EXPECT_EQ(y->consumers(0).size(), kMany);
    concat->set_inputs({});
    EXPECT_FALSE(y->has_consumers());
}

TEST(Graph, IsVisitedBeforeItsBodies) {
    const auto graph = test::choice();
    std::vector<std::string> names;
    for_each_graph(*graph, [&](Graph& part) {
        part.set_name("g" + std::to_string(names.size()));
        names.push_back(part.name());
    });
    EXPECT_EQ(names, (std::vector<std::string>{"g0", "g1", "g2"}));
    std::vector<std::string> again;
    const Graph& constant = *graph;
    for_each_graph(constant, [&](const Graph& part) { again.push_back(part.name()); });
    EXPECT_EQ(again, names);
    EXPECT_EQ(graph->name(), "g0");
}

TEST(Graph, TakesOtherEnds) {
    const auto x = input("x");
    const auto old = input("old");
    Graph graph("g", {x, old}, {result(chain(old, kLongChain), "r"), result(x, "kept")});
    const auto kept = graph.results()[1];
    const auto sink = make_node<ops::Assign>(Output(x), "v");
    graph.set_ends({x}, {kept}, {sink});
    EXPECT_EQ(names_of(graph.parameters()), std::vector<std::string>{"x"});
    EXPECT_EQ(names_of(graph.results()), std::vector<std::string>{"kept"});
    EXPECT_EQ(graph.sinks().size(), 1U);
    EXPECT_EQ(x->consumers(0).size(), 2U);
    EXPECT_EQ(kept->input(0), Output(x));
    EXPECT_EQ(old->consumers(0).size(), 0U);
}

}  // namespace
}  // namespace rondo::graph_test
