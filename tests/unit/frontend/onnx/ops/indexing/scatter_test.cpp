// Tests a part of frontend/onnx/ops/indexing/gather_scatter.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::scatter_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

const Tensor kData = tensor_of<float>({1, 3}, {10, 20, 30});

// Updates 4 and 5 at the last place.
Tensor elements(std::int64_t opset, const std::string& op, const std::string& reduction = "") {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, {1, 3}).output("y");
    model.initializer("i", tensor_of<std::int64_t>({1, 2}, {2, -1}));
    model.initializer("u", tensor_of<float>({1, 2}, {4, 5}));
    auto node = model.node(op, {"x", "i", "u"}, {"y"});
    node.with("axis", 1);
    if (!reduction.empty()) node.with("reduction", reduction);
    return model.run({kData}).at(0);
}

Tensor slices(std::int64_t opset, const std::string& reduction = "") {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, {1, 3}).output("y");
    model.initializer("i", tensor_of<std::int64_t>({2, 2}, {0, 2, 0, 2}));
    model.initializer("u", tensor_of<float>({2}, {4, 5}));
    auto node = model.node("ScatterND", {"x", "i", "u"}, {"y"});
    if (!reduction.empty()) node.with("reduction", reduction);
    return model.run({kData}).at(0);
}

Tensor last_is(float value) { return tensor_of<float>({1, 3}, {10, 20, value}); }

TEST(OnnxScatter, WritesElements) {
    expect_same(elements(9, "Scatter"), last_is(5));
    for (const std::int64_t opset : {11, 13, 16, 18}) {
        expect_same(elements(opset, "ScatterElements"), last_is(5));
        expect_same(slices(opset), last_is(5));
    }
}

TEST(OnnxScatter, ReducesSinceOpset16) {
    for (const std::int64_t opset : {16, 18}) {
        expect_same(elements(opset, "ScatterElements", "none"), last_is(5));
        expect_same(elements(opset, "ScatterElements", "add"), last_is(39));
        expect_same(slices(opset, "mul"), last_is(600));
    }
    expect_same(elements(18, "ScatterElements", "min"), last_is(4));
    expect_same(slices(18, "max"), last_is(30));
}

TEST(OnnxScatter, RefusesReductionsThatTheOpsetDoesNotHave) {
    expect_error<ModelError>([] { elements(16, "ScatterElements", "max"); },
                             "attribute 'reduction' is 'max'; expected none, add, mul or");
    expect_error<ModelError>([] { slices(18, "sub"); }, "attribute 'reduction' is 'sub'");
    expect_error<UnsupportedError>([] { slices(13, "add"); }, "reduction");
}

}  // namespace
}  // namespace rondo::onnx::scatter_test
