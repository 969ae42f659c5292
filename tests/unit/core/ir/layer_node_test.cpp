#include "core/ir/layer_node.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/broadcasting.hpp"
#include "core/ops/source/parameter.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::ir {
namespace {

using namespace test;  // NOLINT: tests only

// The node of a layer of opset15 with inputs of these types.
NodePtr layer_node(const std::string& type, const std::vector<ElementType>& types,
                   const Attributes& attributes = {}) {
    std::vector<Output> inputs;
    for (const ElementType one : types)
        inputs.push_back(make_node<ops::Parameter>(one, PartialShape{2}));
    UniqueNames names;
    return make_layer_node({type, "opset15", "n", inputs}, names,
                           [&](Node& node) { read_attributes(node, attributes); });
}

// As OpenVINO 2026.4's PyTorch frontend writes `mask & other`.
TEST(LayerNode, BitwiseOpsOfBooleansAreTheLogicalOnes) {
    constexpr auto kBoolean = ElementType::boolean;
    constexpr auto kInt = ElementType::i32;
    const auto op = [](const NodePtr& node) { return std::string(node->op_type().name); };
    for (const std::string end : {"And", "Or", "Xor"}) {
        EXPECT_EQ(op(layer_node("Bitwise" + end, {kBoolean, kBoolean})), "Logical" + end);
        EXPECT_EQ(op(layer_node("Bitwise" + end, {kInt, kInt})), "Bitwise" + end);
    }
    EXPECT_EQ(op(layer_node("BitwiseNot", {kBoolean})), "LogicalNot");
    EXPECT_EQ(op(layer_node("BitwiseNot", {kInt})), "BitwiseNot");
    expect_error<UnsupportedError>(
        [&] {
            layer_node("BitwiseLeftShift", {kBoolean, kBoolean});
        },
        "the inputs are boolean; expected numbers that are integers");
    expect_error<ModelError>([&] { layer_node("BitwiseAnd", {kBoolean, kInt}); }, "boolean");
}

TEST(LayerNode, LogicalOpsKeepTheRuleOfBroadcasting) {
    const std::vector<ElementType> types(2, ElementType::boolean);
    const auto node = layer_node("BitwiseOr", types, {{"auto_broadcast", "none"}});
    EXPECT_EQ(static_cast<const ops::Broadcasting&>(*node).auto_broadcast(),
              ops::AutoBroadcast::none);
}

}  // namespace
}  // namespace rondo::ir
