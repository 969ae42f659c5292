// Tests a part of frontend/onnx/ops/window/pool.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::lp_pool_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

using Ints = std::vector<std::int64_t>;

const Tensor kX = tensor_of<float>({1, 1, 3}, {3, -4, 12});

ModelBuilder pool(const char* op, const PartialShape& shape, std::int64_t opset = 18) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, shape).output("y").node(op, {"x"}, {"y"}, "pool");
    if (std::string(op) == "LpPool") {
        NodeBuilder(*model.graph().mutable_node(0)).with("kernel_shape", Ints{2});
    }
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

TEST(OnnxLpPool, TakesRootsOfSumsOfPowers) {
    auto model = pool("LpPool", {1, 1, 3});
    expect_near(model.run({kX}).at(0), tensor_of<float>({1, 1, 2}, {5, std::sqrt(160.0F)}), 1e-5);
    node(model).with("p", 1);
    expect_near(model.run({kX}).at(0), tensor_of<float>({1, 1, 2}, {7, 16}), 1e-5);
    auto cubes = pool("LpPool", {1, 1, 3});
    node(cubes).with("p", 3).with("pads", Ints{1, 0}).with("strides", Ints{3});
    expect_near(cubes.run({kX}).at(0), tensor_of<float>({1, 1, 1}, {3}), 1e-5);
}

TEST(OnnxLpPool, TakesWindowsThatArentWhole) {
    auto model = pool("LpPool", {1, 1, 3});
    node(model).with("p", 1).with("strides", Ints{2}).with("ceil_mode", 1);
    expect_near(model.run({kX}).at(0), tensor_of<float>({1, 1, 2}, {7, 12}), 1e-5);
    node(model).with("auto_pad", "VALID");
    expect_near(model.run({kX}).at(0), tensor_of<float>({1, 1, 2}, {7, 12}), 1e-5);
    auto open = pool("LpPool", {1, 1, -1});
    node(open).with("p", 1).with("strides", Ints{2}).with("ceil_mode", 1);
    expect_near(open.run({kX}).at(0), tensor_of<float>({1, 1, 2}, {7, 12}), 1e-5);
    // A third window would start in the pads after the data.
    node(open).with("pads", Ints{0, 1});
    expect_near(open.run({kX}).at(0), tensor_of<float>({1, 1, 2}, {7, 12}), 1e-5);
    for (const std::int64_t extent : {2, 4, 5}) {
        const Tensor x = tensor_of<float>({1, 1, static_cast<std::size_t>(extent)},
                                          std::vector<float>(static_cast<std::size_t>(extent), 1));
        auto known = pool("LpPool", {1, 1, extent});
        node(known).with("p", 1).with("strides", Ints{3}).with("ceil_mode", 1);
        auto late = pool("LpPool", PartialShape::of_rank(3));
        node(late).with("p", 1).with("strides", Ints{3}).with("ceil_mode", 1);
        expect_near(late.run({x}).at(0), known.run({x}).at(0), 1e-5);
    }
}

TEST(OnnxLpPool, Global) {
    auto model = pool("GlobalLpPool", {1, 1, -1});
    expect_near(model.run({kX}).at(0), tensor_of<float>({1, 1, 1}, {13}), 1e-5);
    auto old = pool("GlobalLpPool", {1, 1, 3}, 1);
    node(old).with("p", 1.0F);
    expect_near(old.run({kX}).at(0), tensor_of<float>({1, 1, 1}, {19}), 1e-5);
    auto none = pool("GlobalLpPool", {1, 1, 3});
    node(none).with("p", 0);
    expect_error<ModelError>([&] { none.read(); }, "attribute 'p' is 0; expected 1 or more");
}

}  // namespace
}  // namespace rondo::onnx::lp_pool_test
