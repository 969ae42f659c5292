// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::cast_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;

ModelBuilder cast(ElementType from, int to, std::int64_t opset = 13) {
    ModelBuilder model(opset);
    model.input("x", from, {2}).output("y").node("Cast", {"x"}, {"y"}).with("to", to);
    return model;
}

TEST(OnnxCast, ConvertsBetweenTypes) {
    expect_same(cast(f32, 7).run({tensor_of<float>({2}, {1.9f, -1.9f})}).at(0),
                tensor_of<std::int64_t>({2}, {1, -1}));
    expect_same(cast(i64, 9).run({tensor_of<std::int64_t>({2}, {0, 5})}).at(0),
                tensor_of<bool>({2}, {false, true}));
    expect_same(cast(ElementType::boolean, 1, 7).run({tensor_of<bool>({2}, {false, true})}).at(0),
                tensor_of<float>({2}, {0, 1}));
}

// As ONNX's tables for Cast say.
TEST(OnnxCast, RoundsToNarrowTypesAsItsAttributesSay) {
    const Tensor x = tensor_of<float>({4}, {0.7F, 1e6F, -1e6F, 448});
    const auto codes = [&](ModelBuilder model) {
        const Tensor y = model.run({x}).at(0);
        EXPECT_TRUE(is_narrow(y.element_type()));
        const auto* first = static_cast<const std::uint8_t*>(y.data());
        return std::vector<int>(first, first + y.size());
    };
    EXPECT_EQ(codes(cast(f32, 17, 19)), (std::vector{0x33, 0x7e, 0xfe, 0x7e}));
    auto open = cast(f32, 17, 19);
    test::NodeBuilder(*open.graph().mutable_node(0)).with("saturate", 0);
    EXPECT_EQ(codes(open), (std::vector{0x33, 0x7f, 0xff, 0x7e}));
    auto scales = cast(f32, 24, 24);
    test::NodeBuilder(*scales.graph().mutable_node(0)).with("round_mode", "down");
    EXPECT_EQ(codes(scales), (std::vector{126, 146, 0, 135}));
    auto wrong = cast(f32, 24, 24);
    test::NodeBuilder(*wrong.graph().mutable_node(0)).with("round_mode", "sideways");
    expect_error<ModelError>([&] { wrong.read(); }, "'round_mode' is 'sideways'; expected 'up'");
}

TEST(OnnxCast, ReadsTheAttributesOfLaterOpsets) {
    auto model = cast(f32, 7, 19);
    test::NodeBuilder(*model.graph().mutable_node(0)).with("saturate", 1);
    EXPECT_NO_THROW(model.read());
    model = cast(f32, 7, 18);
    test::NodeBuilder(*model.graph().mutable_node(0)).with("saturate", 1);
    expect_error<UnsupportedError>([&] { model.read(); }, "attribute 'saturate' is not known");
}

TEST(OnnxCastLike, TakesTheTypeOfTheSecondInput) {
    for (const std::int64_t opset : {15, 19, 25}) {
        ModelBuilder model(opset);
        model.input("x", f32, {2}).input("like", i64, PartialShape()).output("y");
        model.node("CastLike", {"x", "like"}, {"y"});
        expect_same(
            model.run({tensor_of<float>({2}, {1.9f, -1.9f}), tensor_of<std::int64_t>({0}, {})})
                .at(0),
            tensor_of<std::int64_t>({2}, {1, -1}));
    }
}

TEST(OnnxCast, RefusesOtherTypes) {
    expect_error<UnsupportedError>([] { cast(f32, 8).read(); },
                                   "node 'the_Cast' (Cast): the element type 8 (STRING)");
    expect_error<UnsupportedError>([] { cast(f32, 27).read(); }, "27 (FLOAT6E2M3)");
    expect_error<ModelError>([] { cast(f32, -3).read(); }, "attribute 'to' is -3");
    auto model = cast(f32, 7);
    model.graph().mutable_node(0)->clear_attribute();
    expect_error<ModelError>([&] { model.read(); }, "attribute 'to' is missing");
}

TEST(OnnxCast, TakesTheTypesNameBeforeOpset6) {
    ModelBuilder model(5);
    model.input("x", f32, {2}).output("y").node("Cast", {"x"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'to' is missing");
    test::NodeBuilder node(*model.graph().mutable_node(0));
    node.with("to", "INT64");
    expect_same(model.run({tensor_of<float>({2}, {1.9F, -1.9F})}).at(0),
                tensor_of<std::int64_t>({2}, {1, -1}));
}

}  // namespace
}  // namespace rondo::onnx::cast_test
