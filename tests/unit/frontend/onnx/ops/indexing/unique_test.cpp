// Tests a part of frontend/onnx/ops/indexing/gather_scatter.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::unique_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

ModelBuilder unique(const PartialShape& shape, ElementType type = ElementType::f32) {
    ModelBuilder model(11);
    model.input("x", type, shape);
    for (const char* name : {"y", "first", "inverse", "counts"}) model.output(name);
    model.node("Unique", {"x"}, {"y", "first", "inverse", "counts"});
    return model;
}

TEST(OnnxUnique, HasFourOutputs) {
    auto model = unique({-1});
    NodeBuilder(*model.graph().mutable_node(0)).with("sorted", 0);
    const auto found = model.run({tensor_of<float>({6}, {2, 1, 1, 3, 4, 3})});
    expect_same(found[0], tensor_of<float>({4}, {2, 1, 3, 4}));
    expect_same(found[1], tensor_of<std::int64_t>({4}, {0, 1, 3, 4}));
    expect_same(found[2], tensor_of<std::int64_t>({6}, {0, 1, 1, 2, 3, 2}));
    expect_same(found[3], tensor_of<std::int64_t>({4}, {1, 2, 2, 1}));
}

TEST(OnnxUnique, TakesAnAxis) {
    for (const std::int64_t axis : {0, -2}) {
        auto model = unique({3, -1}, ElementType::i32);
        NodeBuilder(*model.graph().mutable_node(0)).with("axis", axis);
        const auto found = model.run({tensor_of<std::int32_t>({3, 2}, {2, 0, 1, 1, 2, 0})});
        expect_same(found[0], tensor_of<std::int32_t>({2, 2}, {1, 1, 2, 0}));
        expect_same(found[2], tensor_of<std::int64_t>({3}, {1, 0, 1}));
    }
    auto model = unique({3, 2});
    NodeBuilder(*model.graph().mutable_node(0)).with("axis", 2);
    expect_error<ModelError>([&] { model.read(); }, "out of range for rank 2");
}

}  // namespace
}  // namespace rondo::onnx::unique_test
