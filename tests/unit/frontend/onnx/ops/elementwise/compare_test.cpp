// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::compare_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

Tensor run(const char* op_type, const Tensor& a, const Tensor& b, std::int64_t opset) {
    ModelBuilder model(opset);
    model.input("a", a.element_type(), a.shape()).input("b", b.element_type(), b.shape());
    model.output("y").node(op_type, {"a", "b"}, {"y"});
    return model.run({a, b}).at(0);
}

TEST(OnnxCompare, OrdersTwoTensors) {
    const auto a = tensor_of<float>({3}, {1, 2, 3});
    const auto b = tensor_of<float>({1}, {2});
    const auto expect = [&](const char* op_type, std::vector<bool> expected) {
        for (const std::int64_t opset : {12, 22}) {
            expect_same(run(op_type, a, b, opset), tensor_of<bool>({3}, expected));
        }
    };
    expect("Equal", {false, true, false});
    expect("Greater", {false, false, true});
    expect("GreaterOrEqual", {false, true, true});
    expect("Less", {true, false, false});
    expect("LessOrEqual", {true, true, false});
    const auto flags = tensor_of<bool>({2}, {false, true});
    expect_same(run("Equal", flags, tensor_of<bool>({2}, {true, true}), 1),
                tensor_of<bool>({2}, {false, true}));
}

TEST(OnnxCompare, AsksForNanAndInfinity) {
    const auto x = tensor_of<float>({4}, {kNan, kInfinity, -kInfinity, 1});
    const auto ask = [&](const char* op_type, int negative, int positive) {
        ModelBuilder model;
        model.input("x", ElementType::f32, {4}).output("y");
        auto node = model.node(op_type, {"x"}, {"y"});
        if (negative >= 0) node.with("detect_negative", negative).with("detect_positive", positive);
        return model.run({x}).at(0);
    };
    expect_same(ask("IsNaN", -1, -1), tensor_of<bool>({4}, {true, false, false, false}));
    expect_same(ask("IsInf", -1, -1), tensor_of<bool>({4}, {false, true, true, false}));
    expect_same(ask("IsInf", 0, 1), tensor_of<bool>({4}, {false, true, false, false}));
    expect_same(ask("IsInf", 1, 0), tensor_of<bool>({4}, {false, false, true, false}));
    expect_same(ask("IsInf", 0, 0), tensor_of<bool>({4}, {false, false, false, false}));
    for (const char* op_type : {"IsInf", "IsNaN"}) {
        ModelBuilder model(20);
        model.input("x", ElementType::i32, {4}).output("y").node(op_type, {"x"}, {"y"});
        expect_error<UnsupportedError>([&] { model.read(); },
                                       "the input is i32; expected a floating type");
    }
}

}  // namespace
}  // namespace rondo::onnx::compare_test
