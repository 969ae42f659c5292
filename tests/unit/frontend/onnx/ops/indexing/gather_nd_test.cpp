// Tests a part of frontend/onnx/ops/indexing/gather_scatter.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::gather_nd_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

ModelBuilder model_of(std::int64_t opset) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, {2, 2}).output("y");
    model.initializer("i", tensor_of<std::int64_t>({2, 1}, {1, 0}));
    return model;
}

TEST(OnnxGatherND, TakesSlicesAndBatches) {
    const auto data = tensor_of<float>({2, 2}, {1, 2, 3, 4});
    auto slices = model_of(11);
    slices.node("GatherND", {"x", "i"}, {"y"});
    expect_same(slices.run({data}).at(0), tensor_of<float>({2, 2}, {3, 4, 1, 2}));
    auto batches = model_of(12);
    batches.node("GatherND", {"x", "i"}, {"y"}).with("batch_dims", 1);
    expect_same(batches.run({data}).at(0), tensor_of<float>({2}, {2, 3}));
    auto early = model_of(11);
    early.node("GatherND", {"x", "i"}, {"y"}).with("batch_dims", 1);
    expect_error<UnsupportedError>([&] { early.read(); }, "batch_dims");
}

}  // namespace
}  // namespace rondo::onnx::gather_nd_test
