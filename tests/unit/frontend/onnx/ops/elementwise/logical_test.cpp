// Tests a part of frontend/onnx/ops/elementwise/elementwise_ops.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::logical_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

TEST(OnnxLogical, ComputesTruthTables) {
    const auto a = tensor_of<bool>({4}, {false, false, true, true});
    const auto b = tensor_of<bool>({4}, {false, true, false, true});
    const auto run = [&](const char* op_type, std::int64_t opset) {
        ModelBuilder model(opset);
        model.input("a", ElementType::boolean, {4}).input("b", ElementType::boolean, {4});
        model.output("y").node(op_type, {"a", "b"}, {"y"});
        return model.run({a, b}).at(0);
    };
    for (const std::int64_t opset : {1, 7, 22}) {
        expect_same(run("And", opset), tensor_of<bool>({4}, {false, false, false, true}));
        expect_same(run("Or", opset), tensor_of<bool>({4}, {false, true, true, true}));
        expect_same(run("Xor", opset), tensor_of<bool>({4}, {false, true, true, false}));
    }
}

TEST(OnnxLogical, RefusesNumbers) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {1}).output("y").node("And", {"x", "x"}, {"y"});
    expect_error<UnsupportedError>([&] { model.read(); }, "the inputs are f32; expected boolean");
}

}  // namespace
}  // namespace rondo::onnx::logical_test
