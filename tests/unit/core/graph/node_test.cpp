#include "core/graph/node.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"

namespace rondo::node_test {
namespace {

using test::expect_error;
using test::inferred;
using test::parameter;

std::shared_ptr<ops::Transpose> transpose(const Output& data) {
    return make_node<ops::Transpose>(data, ops::make_i64({1, 0}, "order"));
}

TEST(Node, NamesItsOpset) {
    EXPECT_EQ((OpType{"Add", 5}).opset_name(), "opset5");
    EXPECT_EQ((OpType{"Add", 0}).opset_name(), "rondo1");
    const auto node = transpose(parameter("2,3"));
    node->set_name("t");
    EXPECT_EQ(describe(*node), "node 't' (Transpose)");
}

TEST(Node, InfersWhenMade) {
    EXPECT_EQ(inferred(*transpose(parameter("2,3"))), "f32[3,2]");
    expect_error<ModelError>([] { transpose(parameter("2,3,4")); },
                             "(Transpose): order has 2 entries; expected 3");
}

TEST(Node, KnowsItsConsumersInOrder) {
    const Output data = parameter("2,2");
    const auto a = transpose(data);
    const auto b = transpose(data);
    EXPECT_EQ(data.consumers(), (Consumers{{a.get(), 0}, {b.get(), 0}}));
    a->set_input(0, parameter("2,2"));
    EXPECT_EQ(data.consumers(), (Consumers{{b.get(), 0}}));
}

TEST(Node, LeavesItsProducersWhenItDies) {
    const Output data = parameter("2,2");
    transpose(data);
    EXPECT_TRUE(data.consumers().empty());
}

TEST(Node, MayReadAnOutputTwice) {
    const Output order = ops::make_i64({0}, "order");
    {
        const auto node = make_node<ops::Transpose>(order, order);
        EXPECT_EQ(order.consumers().size(), 2u);
        node->set_input(0, parameter("3"));
        EXPECT_EQ(order.consumers(), (Consumers{{node.get(), 1}}));
    }
    EXPECT_TRUE(order.consumers().empty());
}

TEST(Node, HandsConsumersAndNamesOn) {
    const Output old_source = parameter("2,2");
    const Output new_source = parameter("2,2");
    old_source.add_names({"x"});
    new_source.add_names({"y"});
    const auto a = transpose(old_source);
    const auto b = transpose(old_source);
    old_source.replace_with(new_source);
    EXPECT_TRUE(old_source.consumers().empty());
    EXPECT_EQ(new_source.consumers().size(), 2u);
    EXPECT_TRUE(a->input(0) == new_source && b->input(0) == new_source);
    EXPECT_EQ(new_source.names(), (std::set<std::string>{"x", "y"}));
    EXPECT_TRUE(old_source.names().empty());
    new_source.replace_with(new_source);
    EXPECT_EQ(new_source.consumers().size(), 2u);
}

TEST(Node, CopiesNameAndRuntimeFactsButNoLinks) {
    const auto node = transpose(parameter("2,3"));
    node->set_name("t");
    node->rt_info()["key"] = "value";
    node->output(0).add_names({"out"});
    const auto other = parameter("4,5");
    const auto copy = node->clone_with({other, node->input(1)});
    EXPECT_EQ(copy->name(), "t");
    EXPECT_EQ(copy->rt_info().at("key"), "value");
    EXPECT_EQ(inferred(*copy), "f32[5,4]");
    EXPECT_TRUE(copy->output(0).names().empty());
    EXPECT_TRUE(copy->consumers(0).empty());
}

TEST(Node, FindsItsKind) {
    const NodePtr node = transpose(parameter("2,3"));
    EXPECT_NE(as<ops::Transpose>(node), nullptr);
    EXPECT_EQ(as<ops::Result>(node), nullptr);
    EXPECT_NE(as<ops::Constant>(node->input(1)), nullptr);
}

TEST(Node, RefusesPortsThatArentThere) {
    const auto node = transpose(parameter("2,3"));
    expect_error<InternalError>([&] { (void)node->input(2); }, "a node has no such input");
    expect_error<InternalError>([&] { (void)node->output(1); }, "a node has no such output");
    expect_error<InternalError>([&] { node->set_input(2, parameter("1")); }, "no such input");
    expect_error<InternalError>([&] { node->set_inputs({Output()}); }, "an input joins nothing");
}

}  // namespace
}  // namespace rondo::node_test
