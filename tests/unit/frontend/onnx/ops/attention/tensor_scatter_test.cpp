// Tests a part of frontend/onnx/ops/attention/group_query_attention.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::tensor_scatter_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

const Tensor kCache = tensor_of<float>({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
const Tensor kUpdate = tensor_of<float>({2, 2, 2}, {-1, -2, -3, -4, -5, -6, -7, -8});

ModelBuilder model_of(const std::vector<std::int64_t>& places, const char* mode) {
    ModelBuilder model(24);
    const auto open = PartialShape::of_rank(3);
    model.input("c", ElementType::f32, open).input("u", ElementType::f32, open).output("y");
    if (!places.empty()) model.initializer("i", tensor_of<std::int64_t>({places.size()}, places));
    model.node("TensorScatter", {"c", "u", places.empty() ? "" : "i"}, {"y"}, "t")
        .with("mode", mode);
    return model;
}

TEST(OnnxTensorScatter, WritesAtThePlaceOfEachRow) {
    expect_same(model_of({0, 1}, "linear").run({kCache, kUpdate}).at(0),
                tensor_of<float>({2, 3, 2}, {-1, -2, -3, -4, 5, 6, 7, 8, -5, -6, -7, -8}));
    expect_same(model_of({2, 4}, "circular").run({kCache, kUpdate}).at(0),
                tensor_of<float>({2, 3, 2}, {-3, -4, 3, 4, -1, -2, 7, 8, -5, -6, -7, -8}));
    expect_same(model_of({}, "linear").run({kCache, kUpdate}).at(0),
                tensor_of<float>({2, 3, 2}, {-1, -2, -3, -4, 5, 6, -5, -6, -7, -8, 11, 12}));
}

TEST(OnnxTensorScatter, RefusesWhatDoesntFit) {
    expect_error<ModelError>(
        [] {
            model_of({0, 0}, "around").read();
        },
        "node 't' (TensorScatter): attribute 'mode' is 'around'");
    auto model = model_of({0, 0}, "linear");
    test::NodeBuilder(*model.graph().mutable_node(0)).with("axis", 0);
    expect_error<ModelError>([&] { model.read(); }, "names axis 0, the batch");
}

}  // namespace
}  // namespace rondo::onnx::tensor_scatter_test
