#include "core/graph/node_origin.hpp"

#include <gtest/gtest.h>

#include "core/graph/node.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"

namespace rondo::node_origin_test {
namespace {

using Kind = NodeOrigin::Kind;
using test::parameter;

NodeOriginPtr origin(const std::string& name, const std::string& type, Kind kind = Kind::node) {
    return std::make_shared<NodeOrigin>(NodeOrigin{kind, name, type});
}

NodePtr tanh(const Output& x, const std::string& name, const NodeOriginPtr& from = nullptr) {
    auto node = make_node<ops::Unary>(ops::UnaryFunction::tanh, x);
    node->set_name(name);
    node->set_origin(from);
    return node;
}

TEST(NodeOrigin, IsNamedBeforeWhatWasMadeOfIt) {
    const Output x = parameter("2");
    EXPECT_EQ(describe(*tanh(x, "t")), "node 't' (Tanh)");
    EXPECT_EQ(describe(*tanh(x, "t", NodeOrigin::itself())), "node 't' (Tanh)");
    EXPECT_EQ(describe(*tanh(x, "t", origin("t", "Tanh"))), "node 't' (Tanh)");
    EXPECT_EQ(describe(*tanh(x, "t", origin("t", "Act"))), "node 't' (Act, as Tanh)");
    EXPECT_EQ(describe(*tanh(x, "t/part", origin("t", "Act"))), "node 't' (Act, as Tanh 't/part')");
    EXPECT_EQ(describe(*tanh(x, "", origin("t", "Act"))), "node 't' (Act, as Tanh)");
    EXPECT_EQ(describe(*tanh(x, "Tanh_0", origin("v", "Tanh", Kind::node_of))),
              "node of 'v' (Tanh, as Tanh 'Tanh_0')");
}

TEST(NodeOrigin, MayBeAnInputAnOutputOrATensor) {
    const Output x = parameter("2");
    x.node().set_name("x_1");
    x.node().set_origin(origin("x", "Parameter", Kind::input));
    EXPECT_EQ(describe(x.node()), "input 'x'");
    EXPECT_EQ(describe(*tanh(x, "x/part", x.node().origin())), "input 'x' (as Tanh 'x/part')");
    const auto result = make_node<ops::Result>(x);
    result->set_name("y/result");
    result->set_origin(origin("y", "Result", Kind::output));
    EXPECT_EQ(describe(*result), "output 'y'");
}

TEST(NodeOrigin, GoesThroughText) {
    for (const Kind kind : {Kind::node, Kind::node_of, Kind::input, Kind::output, Kind::tensor}) {
        const auto before = origin("a|b", "LSTM", kind);
        const auto after = node_origin_from_text(to_text(*before));
        ASSERT_NE(after, nullptr);
        EXPECT_EQ(after->kind, kind);
        EXPECT_EQ(after->name, "a|b");
        EXPECT_EQ(after->type, "LSTM");
    }
    for (const char* other : {"", "node", "node|LSTM", "loop|LSTM|a"}) {
        EXPECT_EQ(node_origin_from_text(other), nullptr) << other;
    }
}

TEST(NodeOrigin, StaysWhenTheNodeIsRenamedOrCopied) {
    const Output x = parameter("2");
    const auto node = tanh(x, "t", NodeOrigin::itself());
    node->set_name("other");
    EXPECT_EQ(describe(*node), "node 't' (Tanh, as Tanh 'other')");
    EXPECT_EQ(describe(*node->clone_with({x})), "node 't' (Tanh, as Tanh 'other')");
}

TEST(NodeOrigin, IsNamedByInference) {
    const auto node = tanh(parameter("2"), "t/part", origin("t", "Act"));
    node->set_inputs({});
    test::expect_error<ModelError>([&] { node->validate(); },
                                   "node 't' (Act, as Tanh 't/part'): got 0 inputs; expected 1");
}

}  // namespace
}  // namespace rondo::node_origin_test
