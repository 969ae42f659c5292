// Tests a part of frontend/onnx/ops/reduction/along_axis.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::hardmax_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

ModelBuilder hardmax(std::int64_t opset, const PartialShape& shape) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, shape).output("y").node("Hardmax", {"x"}, {"y"});
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

const Tensor kX = tensor_of<float>({2, 2, 2}, {1, 3, 3, 2, -1, -2, -1, -3});

TEST(OnnxHardmax, MarksTheFirstGreatest) {
    for (const auto& shape : {PartialShape{2, 2, 2}, PartialShape::of_rank(3), PartialShape()}) {
        expect_same(hardmax(13, shape).run({kX}).at(0),
                    tensor_of<float>({2, 2, 2}, {0, 1, 1, 0, 1, 0, 1, 0}));
    }
    for (const std::int64_t axis : {1, -2}) {
        auto model = hardmax(13, {2, -1, 2});
        node(model).with("axis", axis);
        expect_same(model.run({kX}).at(0), tensor_of<float>({2, 2, 2}, {0, 1, 1, 0, 1, 1, 0, 0}));
    }
}

TEST(OnnxHardmax, MarksNothingWhereThereIsNothing) {
    for (const std::int64_t opset : {11, 13}) {
        const Tensor x(ElementType::f32, {2, 0});
        for (const auto& shape : {PartialShape{2, 0}, PartialShape{2, -1}, PartialShape{-1, -1}}) {
            expect_same(hardmax(opset, shape).run({x}).at(0), x);
        }
        const Tensor none(ElementType::f32, {0, 3});
        auto model = hardmax(opset, {-1, 3});
        node(model).with("axis", 0);
        expect_same(model.run({none}).at(0), none);
    }
}

TEST(OnnxHardmax, FlattensBeforeOpset13) {
    for (const std::int64_t opset : {1, 11}) {
        for (const auto& shape : {PartialShape{2, 2, 2}, PartialShape::of_rank(3)}) {
            expect_same(hardmax(opset, shape).run({kX}).at(0),
                        tensor_of<float>({2, 2, 2}, {0, 1, 0, 0, 1, 0, 0, 0}));
        }
        auto all = hardmax(opset, {2, 2, 2});
        node(all).with("axis", 0);
        expect_same(all.run({kX}).at(0), tensor_of<float>({2, 2, 2}, {0, 1, 0, 0, 0, 0, 0, 0}));
        auto each = hardmax(opset, {2, 2, 2});
        node(each).with("axis", 3);
        expect_same(each.run({kX}).at(0), tensor_of<float>({2, 2, 2}, std::vector<float>(8, 1)));
    }
    auto model = hardmax(11, {2, 2, 2});
    node(model).with("axis", 4);
    expect_error<ModelError>([&] { model.read(); }, "axis 4 is out of range for rank 3");
    expect_error<UnsupportedError>([] { hardmax(11, PartialShape()).read(); },
                                   "the rank of the input isn't known");
}

}  // namespace
}  // namespace rondo::onnx::hardmax_test
