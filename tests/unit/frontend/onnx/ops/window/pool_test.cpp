#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::pool_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;

ModelBuilder pool(const char* op, const PartialShape& shape, const Ints& kernel,
                  std::int64_t opset = 19) {
    ModelBuilder model(opset);
    model.input("x", f32, shape).output("y");
    model.node(op, {"x"}, {"y"}, "pool").with("kernel_shape", kernel);
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

const Tensor kX = tensor_of<float>({1, 1, 4}, {1, 4, 2, 8});

TEST(OnnxPool, TakesTheGreatest) {
    expect_same(pool("MaxPool", {1, 1, 4}, {2}).run({kX}).at(0),
                tensor_of<float>({1, 1, 3}, {4, 4, 8}));
    auto model = pool("MaxPool", PartialShape(), {2});
    node(model).with("strides", Ints{2}).with("dilations", Ints{2}).with("pads", Ints{1, 1});
    node(model).with("auto_pad", "NOTSET").with("storage_order", 0);
    expect_same(model.run({kX}).at(0), tensor_of<float>({1, 1, 2}, {4, 8}));
}

TEST(OnnxPool, TakesChannelsLast) {
    ModelBuilder model(19);
    auto& microsoft = *model.message().add_opset_import();
    microsoft.set_domain("com.microsoft");
    microsoft.set_version(1);
    model.input("x", ElementType::u8, {1, 1, 3, 2}).output("y");
    model.node("NhwcMaxPool", {"x"}, {"y"}, "pool")
        .with("kernel_shape", Ints{1, 2})
        .domain("com.microsoft");
    expect_same(model.run({tensor_of<std::uint8_t>({1, 1, 3, 2}, {1, 9, 4, 8, 2, 7})}).at(0),
                tensor_of<std::uint8_t>({1, 1, 2, 2}, {4, 9, 4, 8}));
}

TEST(OnnxPool, RoundsUpWhereAsked) {
    auto model = pool("MaxPool", {1, 1, 4}, {3});
    node(model).with("strides", Ints{2}).with("ceil_mode", 1);
    expect_same(model.run({kX}).at(0), tensor_of<float>({1, 1, 2}, {4, 8}));
}

// As a network's last pools meet an image that is too small for them.
TEST(OnnxPool, RoundsUpToOneWindow) {
    for (const char* op : {"MaxPool", "AveragePool", "LpPool"}) {
        for (const PartialShape& shape : {PartialShape{1, 1, 1, 3}, PartialShape::of_rank(4)}) {
            auto model = pool(op, shape, {2, 2}, 22);
            node(model).with("strides", Ints{2, 2}).with("ceil_mode", 1);
            const Tensor x = tensor_of<float>({1, 1, 1, 3}, {4, 4, 8});
            const Tensor y = model.run({x}).at(0);
            ASSERT_EQ(y.shape(), (Shape{1, 1, 1, 2})) << op;
            EXPECT_EQ(y.data<float>()[1], 8) << op;
        }
    }
}

TEST(OnnxPool, GivesPlacesInBothOrders) {
    const auto x = tensor_of<float>({1, 2, 2, 3}, {0, 0, 0, 0, 0, 9, 0, 9, 0, 0, 0, 0});
    for (const bool by_columns : {false, true}) {
        auto model = pool("MaxPool", PartialShape::of_rank(4), {2, 3});
        model.graph().mutable_node(0)->add_output("places");
        model.output("places");
        node(model).with("storage_order", by_columns ? 1 : 0);
        const Ints expected = by_columns ? Ints{5, 6 + 2} : Ints{5, 6 + 1};
        expect_same(model.run({x}).at(1), tensor_of<std::int64_t>({1, 2, 1, 1}, expected));
    }
}

TEST(OnnxPool, TakesMeans) {
    auto model = pool("AveragePool", {1, 1, 4}, {2});
    node(model).with("pads", Ints{1, 1}).with("strides", Ints{2});
    expect_same(model.run({kX}).at(0), tensor_of<float>({1, 1, 3}, {1, 3, 8}));
    node(model).with("count_include_pad", 1);
    expect_same(model.run({kX}).at(0), tensor_of<float>({1, 1, 3}, {0.5F, 3, 4}));
}

TEST(OnnxPool, RefusesWhatDoesntFit) {
    ModelBuilder model(12);
    model.input("x", f32, {1, 1, 4}).output("y").node("MaxPool", {"x"}, {"y"}, "pool");
    expect_error<ModelError>([&] { model.read(); }, "attribute 'kernel_shape' is missing");
    expect_error<ModelError>(
        [] {
            pool("MaxPool", {1, 1, 4}, {2, 2}).read();
        },
        "X has shape [1,1,4]; expected [?,?,?,?]");
    expect_error<ModelError>([] { pool("AveragePool", {1, 1, 4}, {0}).read(); }, "kernel[0] is 0");
}

}  // namespace
}  // namespace rondo::onnx::pool_test
