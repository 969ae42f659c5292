#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::matmul_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

TEST(OnnxMatMul, Multiplies) {
    const auto a = tensor_of<float>({2, 2}, {1, 2, 3, 4});
    for (const std::int64_t opset : {7, 13}) {
        ModelBuilder model(opset);
        model.input("a", f32, {2, 2}).input("b", f32, {2, 1}).output("y");
        model.node("MatMul", {"a", "b"}, {"y"});
        expect_same(model.run({a, tensor_of<float>({2, 1}, {10, 1})}).at(0),
                    tensor_of<float>({2, 1}, {12, 34}));
    }
}

TEST(OnnxMatMul, TakesVectors) {
    ModelBuilder model;
    model.input("a", f32, {2}).input("b", f32, {2, 2}).output("y");
    model.node("MatMul", {"a", "b"}, {"y"});
    expect_same(
        model.run({tensor_of<float>({2}, {1, 10}), tensor_of<float>({2, 2}, {1, 2, 3, 4})}).at(0),
        tensor_of<float>({2}, {31, 42}));
}

ModelBuilder fused(const Tensor& a, const Tensor& b) {
    ModelBuilder model;
    auto* import = model.message().add_opset_import();
    import->set_domain("com.microsoft");
    import->set_version(1);
    model.input("a", f32, a.shape()).input("b", f32, b.shape()).output("y");
    model.node("FusedMatMul", {"a", "b"}, {"y"}, "f").domain("com.microsoft");
    return model;
}

test::NodeBuilder first(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

TEST(OnnxFusedMatMul, TransposesAndScales) {
    const auto a = tensor_of<float>({2, 1}, {1, 2});
    const auto b = tensor_of<float>({1, 2}, {10, 1});
    auto model = fused(a, b);
    first(model).with("transA", 1).with("transB", 1).with("alpha", 0.5F);
    expect_same(model.run({a, b}).at(0), tensor_of<float>({1, 1}, {6}));
    auto plain = fused(a, b);
    EXPECT_EQ(plain.read()->results()[0]->input(0).node().name(), "f");
    expect_same(plain.run({a, b}).at(0), tensor_of<float>({2, 2}, {10, 1, 20, 2}));
}

TEST(OnnxFusedMatMul, MovesTheBatchBehindTheRows) {
    const auto a = tensor_of<float>({2, 3, 1}, {1, 2, 3, 4, 5, 6});  // rows, batch, columns
    const auto b = tensor_of<float>({3, 1, 1}, {1, 10, 100});
    auto model = fused(a, b);
    first(model).with("transBatchA", 1);
    expect_same(model.run({a, b}).at(0), tensor_of<float>({3, 2, 1}, {1, 4, 20, 50, 300, 600}));
    auto both = fused(b, b);
    first(both).with("transBatchA", 1).with("transBatchB", 1).with("transA", 1);
    expect_same(both.run({b, b}).at(0), tensor_of<float>({1, 1, 1}, {10101}));
}

}  // namespace
}  // namespace rondo::onnx::matmul_test
