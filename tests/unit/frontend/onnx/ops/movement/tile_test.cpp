// Tests a part of frontend/onnx/ops/movement/moves.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::tile_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;

const Tensor kData = tensor_of<float>({2, 2}, {1, 2, 3, 4});
const Tensor kTwice = tensor_of<float>({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4});

TEST(OnnxTile, RepeatsEachAxisSinceOpset6) {
    for (const std::int64_t opset : {6, 13}) {
        ModelBuilder model(opset);
        model.input("x", f32, {2, 2}).input("r", i64, {2}).output("y");
        model.node("Tile", {"x", "r"}, {"y"});
        expect_same(model.run({kData, tensor_of<std::int64_t>({2}, {1, 2})}).at(0), kTwice);
    }
}

TEST(OnnxTile, NeedsANumberForEachAxis) {
    ModelBuilder model;
    model.input("x", f32, {2, 2}).input("r", i64, {1}).output("y");
    model.node("Tile", {"x", "r"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "repeats has shape [1]; expected [2]");
}

TEST(OnnxTile, RepeatsOneAxisBeforeOpset6) {
    for (const std::int64_t axis : {1, -1}) {
        ModelBuilder model(5);
        model.input("x", f32, {2, 2}).input("tiles", f32, PartialShape(Shape{})).output("y");
        model.initializer("axis", scalar_of(static_cast<float>(axis)));
        model.node("Tile", {"x", "tiles", "axis"}, {"y"});
        expect_same(model.run({kData, scalar_of(2.0f)}).at(0), kTwice);
    }
    ModelBuilder model(5);
    model.input("x", f32, {2, 2}).input("tiles", i64, {1}).input("axis", i64, {1}).output("y");
    model.node("Tile", {"x", "tiles", "axis"}, {"y"});
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "axis is known only at run time, data has shape [2,2]");
}

}  // namespace
}  // namespace rondo::onnx::tile_test
