// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::bitwise_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

Tensor bytes(const std::vector<int>& values) {
    return tensor_of<std::uint8_t, int>({values.size()}, values);
}

// The direction of a shift; empty for others.
ModelBuilder node(const char* op_type, const std::string& direction = {}) {
    ModelBuilder model(18);
    model.input("a", ElementType::u8, {3}).input("b", ElementType::u8, {3}).output("y");
    auto built = model.node(op_type, {"a", "b"}, {"y"}, "bits");
    if (!direction.empty()) built.with("direction", direction);
    return model;
}

TEST(OnnxBitwise, ComputesOnBits) {
    const Tensor a = bytes({12, 255, 1}), b = bytes({10, 0, 1});
    const auto run = [&](const ModelBuilder& model) { return model.run({a, b}).at(0); };
    expect_same(run(node("BitwiseAnd")), bytes({8, 0, 1}));
    expect_same(run(node("BitwiseOr")), bytes({14, 255, 1}));
    expect_same(run(node("BitwiseXor")), bytes({6, 255, 0}));
    expect_same(run(node("BitShift", "LEFT")), bytes({0, 255, 2}));
    expect_same(run(node("BitShift", "RIGHT")), bytes({0, 255, 0}));
}

TEST(OnnxBitwise, InvertsEveryBit) {
    ModelBuilder model(18);
    model.input("x", ElementType::i16, {2}).output("y").node("BitwiseNot", {"x"}, {"y"});
    expect_same(model.run({tensor_of<std::int16_t>({2}, {0, -5})}).at(0),
                tensor_of<std::int16_t>({2}, {-1, 4}));
}

TEST(OnnxBitwise, Refuses) {
    expect_error<ModelError>([] { node("BitShift").read(); }, "attribute 'direction' is missing");
    expect_error<ModelError>([] { node("BitShift", "UP").read(); },
                             "attribute 'direction' is 'UP'; expected 'LEFT' or 'RIGHT'");
    ModelBuilder model(18);
    model.input("x", ElementType::f32, {2}).output("y").node("BitwiseNot", {"x"}, {"y"});
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "the input is f32; expected numbers that are integers");
}

}  // namespace
}  // namespace rondo::onnx::bitwise_test
