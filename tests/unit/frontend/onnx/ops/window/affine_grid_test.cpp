// Tests a part of frontend/onnx/ops/window/grid.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::affine_grid_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;
using Ints = std::vector<std::int64_t>;

Tensor ints(const Ints& values) { return tensor_of<std::int64_t>({values.size()}, values); }

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

ModelBuilder grid(const PartialShape& theta, bool late) {
    ModelBuilder model(20);
    model.input("theta", f32, theta).output("y");
    if (late) {
        model.input("size", i64, {4});
    } else {
        model.initializer("size", ints({1, 1, 2, 3}));
    }
    model.node("AffineGrid", {"theta", "size"}, {"y"});
    return model;
}

const Tensor kIdentity = tensor_of<float>({1, 2, 3}, {1, 0, 0, 0, 1, 0});

TEST(OnnxAffineGrid, GivesThePlacesOfAnEvenGrid) {
    const float third = 2.0F / 3;
    const Tensor edges = tensor_of<float>(
        {1, 2, 3, 2}, {-third, -0.5F, 0, -0.5F, third, -0.5F, -third, 0.5F, 0, 0.5F, third, 0.5F});
    const Tensor centres =
        tensor_of<float>({1, 2, 3, 2}, {-1, -1, 0, -1, 1, -1, -1, 1, 0, 1, 1, 1});
    for (const bool late : {false, true}) {
        auto model = grid({-1, 2, 3}, late);
        std::vector<Tensor> inputs{kIdentity};
        if (late) inputs.push_back(ints({1, 1, 2, 3}));
        expect_near(model.run(inputs).at(0), edges, 1e-6);
        node(model).with("align_corners", 1);
        expect_near(model.run(inputs).at(0), centres, 1e-6);
    }
}

TEST(OnnxAffineGrid, MovesThePlaces) {
    auto model = grid({1, 2, 3}, true);
    node(model).with("align_corners", 1);
    // x' = 2 y + 1, y' = x - y.
    const Tensor theta = tensor_of<float>({1, 2, 3}, {0, 2, 1, 1, -1, 0});
    expect_near(model.run({theta, ints({1, 1, 2, 2})}).at(0),
                tensor_of<float>({1, 2, 2, 2}, {-1, 0, -1, 2, 3, -2, 3, 0}), 1e-6);
    ModelBuilder space(20);
    space.input("theta", f32, {1, 3, 4}).initializer("size", ints({1, 1, 1, 1, 2})).output("y");
    space.node("AffineGrid", {"theta", "size"}, {"y"});
    const Tensor turned =
        tensor_of<float>({1, 3, 4}, {0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 5});  // z, x, y + 5
    expect_near(space.run({turned}).at(0),
                tensor_of<float>({1, 1, 1, 2, 3}, {0, -0.5F, 5, 0, 0.5F, 5}), 1e-6);
}

TEST(OnnxAffineGrid, RefusesWrongShapes) {
    expect_error<ModelError>([] { grid({1, 2, 4}, false).read(); }, "theta has shape [1,2,4]");
    expect_error<ModelError>([] { grid({1, 4, 5}, false).read(); }, "two or three spatial axes");
    ModelBuilder scalar(20);
    scalar.input("theta", f32, {1, 2, 3}).input("size", i64, Shape{}).output("y");
    scalar.node("AffineGrid", {"theta", "size"}, {"y"});
    expect_error<ModelError>([&] { scalar.read(); }, "size has shape []");
}

}  // namespace
}  // namespace rondo::onnx::affine_grid_test
