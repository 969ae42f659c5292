// Tests a part of frontend/onnx/ops/window/pool.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::lrn_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::tensor_of;

ModelBuilder lrn(const PartialShape& shape, std::int64_t size) {
    ModelBuilder model(13);
    model.input("x", ElementType::f32, shape).output("y");
    model.node("LRN", {"x"}, {"y"}, "lrn")
        .with("size", size)
        .with("alpha", 2.0F)
        .with("beta", 1.0F)
        .with("bias", 1.0F);
    return model;
}

TEST(OnnxLrn, DividesByNeighbours) {
    const auto x = tensor_of<float>({1, 3, 1, 2}, {1, 0, 2, 0, 3, 1});
    // Two neighbours: the channel itself and the next one. 1 + (1 + 4), 1 + (4 + 9), 1 + 9
    const auto y = tensor_of<float>({1, 3, 1, 2}, {1 / 6.0F, 0, 2 / 14.0F, 0, 0.3F, 0.5F});
    for (const auto& shape : {PartialShape({1, 3, 1, 2}), PartialShape::of_rank(4)}) {
        expect_near(lrn(shape, 2).run({x}).at(0), y, 1e-6);
    }
}

TEST(OnnxLrn, RefusesWhatDoesntFit) {
    expect_error<ModelError>([] { lrn({1, 3, 1, 2}, 0).read(); }, "attribute 'size' is missing");
    expect_error<UnsupportedError>([] { lrn(PartialShape(), 3).read(); }, "the rank of X");
}

}  // namespace
}  // namespace rondo::onnx::lrn_test
