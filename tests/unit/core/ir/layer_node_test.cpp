#include "core/ir/layer_node.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/broadcasting.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::ir::layer_node_test {
namespace {

using namespace test;  // NOLINT: tests only

// The node of a layer of opset15 with inputs of these types.
NodePtr layer_node(const std::string& type, const std::vector<ElementType>& types,
                   const Attributes& attributes = {}) {
    std::vector<Output> inputs;
    for (const ElementType one : types)
        inputs.push_back(make_node<ops::Parameter>(one, PartialShape{2}));
    UniqueNames names;
    return make_layer_node({type, "opset15", "n", inputs, attributes}, names);
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

// Broadcast as OpenVINO's opset1 makes it has three inputs in each mode.
TEST(LayerNode, InputsThatSayNothingAreDropped) {
    UniqueNames names;
    const auto layer = [&](const std::string& type, std::vector<Output> inputs,
                           const Attributes& attributes) {
        return make_layer_node({type, "opset9", "n", std::move(inputs), attributes}, names);
    };
    const std::vector<Output> three{parameter("3"), ints({3, 3}), ints({1})};
    EXPECT_EQ(layer("Broadcast", three, {{"mode", "numpy"}})->input_count(), 2u);
    EXPECT_EQ(layer("Broadcast", three, {{"mode", "explicit"}})->input_count(), 3u);
    std::vector<Output> boxes{parameter("1,2,4"),
                              parameter("1,1,2"),
                              ints({1}),
                              constant(scalar_of<float>(0.5F)),
                              constant(scalar_of<float>(0)),
                              constant(scalar_of<float>(0))};
    EXPECT_EQ(layer("NonMaxSuppression", boxes, {})->input_count(), 5u);
    for (const Output& sigma : {Output(constant(scalar_of<float>(0.5F))), parameter("1")}) {
        boxes[5] = sigma;
        expect_error<UnsupportedError>([&] { layer("NonMaxSuppression", boxes, {}); },
                                       "soft_nms_sigma isn't known to be 0");
    }
}

// Rondo wrote a Split along a vector of one, which OpenVINO refuses.
TEST(LayerNode, BringsAxesIntoTheFormThatIsWritten) {
    UniqueNames names;
    const auto layer = [&](const std::string& type, std::vector<Output> inputs,
                           const Attributes& attributes) {
        return make_layer_node({type, "opset15", "n", std::move(inputs), attributes}, names);
    };
    const NodePtr split = layer("Split", {parameter("2,4"), ints({1})}, {{"num_splits", "2"}});
    EXPECT_EQ(split->input(1).shape(), PartialShape(Shape{}));
    EXPECT_EQ(split->input(1).node().name(), "n/axis");
    EXPECT_EQ(inferred(*split, 1), "f32[2,2]");
    const NodePtr tile = layer("Tile", {parameter("2"), scalar_int(3)}, {});
    EXPECT_EQ(tile->input(1).shape(), PartialShape{1});
    EXPECT_EQ(inferred(*tile), "f32[6]");
    const NodePtr range =
        layer("Range", {scalar_int(0), unknown_ints("1"), scalar_int(1)}, {{"output_type", "i64"}});
    EXPECT_EQ(range->input(1).shape(), PartialShape(Shape{}));
}

}  // namespace
}  // namespace rondo::ir::layer_node_test
