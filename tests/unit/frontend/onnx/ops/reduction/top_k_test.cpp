// Tests a part of frontend/onnx/ops/reduction/along_axis.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::top_k_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;

using Ints = std::vector<std::int64_t>;
const Tensor kX = tensor_of<float>({2, 3}, {3, 1, 3, 7, 9, 8});

ModelBuilder model_of(const char* op, std::int64_t opset,
                      const PartialShape& shape = PartialShape::of_rank(2)) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, shape).output("y").node(op, {"x"}, {"y"}, "best");
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

ModelBuilder top_k(std::int64_t opset) {
    auto model = model_of("TopK", opset);
    model.graph().mutable_node(0)->add_output("places");
    model.output("places");
    if (opset < 10) {
        node(model).with("k", 2);
    } else {
        model.initializer("k", tensor_of<std::int64_t>({1}, {2}));
        model.graph().mutable_node(0)->add_input("k");
    }
    return model;
}

TEST(OnnxTopK, TakesTheGreatest) {
    for (const std::int64_t opset : {1, 10, 11, 22}) {
        const auto outputs = top_k(opset).run({kX});
        expect_same(outputs.at(0), tensor_of<float>({2, 2}, {3, 3, 9, 8}));
        expect_same(outputs.at(1), tensor_of<std::int64_t>({2, 2}, {0, 2, 1, 2}));
    }
    auto least = top_k(11);
    node(least).with("largest", 0).with("sorted", 0).with("axis", 0);
    expect_same(least.run({kX}).at(0), tensor_of<float>({2, 3}, {3, 1, 3, 7, 9, 8}));
}

TEST(OnnxArg, GivesThePlace) {
    for (const std::int64_t opset : {1, 11, 13}) {
        auto max = model_of("ArgMax", opset);
        node(max).with("axis", 1);
        expect_same(max.run({kX}).at(0), tensor_of<std::int64_t>({2, 1}, {0, 1}));
        node(max).with("keepdims", 0);
        expect_same(max.run({kX}).at(0), tensor_of<std::int64_t>({2}, {0, 1}));
        expect_same(model_of("ArgMin", opset).run({kX}).at(0),
                    tensor_of<std::int64_t>({1, 3}, {0, 0, 0}));
    }
}

TEST(OnnxArg, MayTakeTheLastOfEqualOnes) {
    for (const std::int64_t axis : {1, -1}) {
        auto max = axis > 0 ? model_of("ArgMax", 12) : model_of("ArgMax", 12, PartialShape());
        node(max).with("axis", axis).with("select_last_index", 1);
        expect_same(max.run({kX}).at(0), tensor_of<std::int64_t>({2, 1}, {2, 1}));
        node(max).with("keepdims", 0);
        expect_same(max.run({kX}).at(0), tensor_of<std::int64_t>({2}, {2, 1}));
    }
}

TEST(OnnxTopK, RefusesWhatDoesntFit) {
    auto model = model_of("TopK", 1, {2, 3});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'k' is missing");
    node(model).with("k", 4);
    expect_error<ModelError>([&] { model.read(); }, "k is 4, but the data has shape [2,3]");
}

}  // namespace
}  // namespace rondo::onnx::top_k_test
