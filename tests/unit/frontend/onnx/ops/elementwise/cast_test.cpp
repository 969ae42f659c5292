#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx {
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
    expect_error<UnsupportedError>([] { cast(f32, 17).read(); }, "17 (FLOAT8E4M3FN)");
    expect_error<ModelError>([] { cast(f32, -3).read(); }, "attribute 'to' is -3");
    auto model = cast(f32, 7);
    model.graph().mutable_node(0)->clear_attribute();
    expect_error<ModelError>([&] { model.read(); }, "attribute 'to' is missing");
}

}  // namespace
}  // namespace rondo::onnx
