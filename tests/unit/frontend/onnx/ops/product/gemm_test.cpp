#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::gemm_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;

const Tensor kA = tensor_of<float>({2, 2}, {1, 2, 3, 4});
const Tensor kB = tensor_of<float>({2, 2}, {1, 10, 100, 1000});

ModelBuilder gemm(const Tensor& c, std::int64_t opset = 13) {
    ModelBuilder model(opset);
    model.input("a", f32, {2, 2}).initializer("b", kB).output("y");
    if (c) model.initializer("c", c);
    model.node("Gemm", {"a", "b", c ? "c" : ""}, {"y"}, "gemm");
    return model;
}

test::NodeBuilder node(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

TEST(OnnxGemm, MultipliesAndAdds) {
    for (const std::int64_t opset : {7, 9, 11, 13}) {
        const auto model = gemm(tensor_of<float>({2}, {1, 2}), opset);
        expect_same(model.run({kA}).at(0), tensor_of<float>({2, 2}, {202, 2012, 404, 4032}));
    }
    expect_same(gemm(Tensor()).run({kA}).at(0), tensor_of<float>({2, 2}, {201, 2010, 403, 4030}));
}

TEST(OnnxGemm, HonoursEveryAttribute) {
    auto model = gemm(tensor_of<float>({2, 1}, {1, 2}));
    node(model).with("alpha", 2.0f).with("beta", 10.0f).with("transA", 1).with("transB", 1);
    // A' = [1 3; 2 4], B' = [1 100; 10 1000]
    expect_same(model.run({kA}).at(0), tensor_of<float>({2, 2}, {72, 6210, 104, 8420}));
}

TEST(OnnxGemm, LeavesCOutForABetaOfZero) {
    auto model = gemm(tensor_of<float>({1}, {7}));
    node(model).with("beta", 0.0f);
    const auto graph = model.read();
    EXPECT_EQ(graph->results()[0]->input(0).node().type_name(), "MatMul");
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "gemm");
    EXPECT_EQ(gemm(Tensor(f32, {2})).read()->results()[0]->input(0).node().name(), "gemm");
}

TEST(OnnxGemm, RefusesShapesThatDontFit) {
    expect_error<ModelError>([] { gemm(Tensor(f32, {3})).read(); },
                             "C has shape [3], which can't be broadcast to [2,2]");
    expect_error<ModelError>(
        [] {
            gemm(Tensor(f32, {1, 2, 2})).read();
        },
        "C has shape [1,2,2], which can't be broadcast to [2,2]");
    ModelBuilder model;
    model.input("a", f32, {1, 2, 2}).initializer("b", kB).output("y");
    model.node("Gemm", {"a", "b"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "A has shape [1,2,2]; expected [?,?]");
}

TEST(OnnxGemm, BroadcastsBeforeOpset7WhereAsked) {
    for (const std::int64_t opset : {1, 6}) {
        auto model = gemm(tensor_of<float>({2}, {1, 2}), opset);
        expect_error<ModelError>([&] { model.read(); }, "C has shape [2], which is not [2,2]");
        node(model).with("broadcast", 1);
        expect_same(model.run({kA}).at(0), tensor_of<float>({2, 2}, {202, 2012, 404, 4032}));
        const auto whole = gemm(tensor_of<float>({2, 2}, {1, 2, 3, 4}), opset);
        expect_same(whole.run({kA}).at(0), tensor_of<float>({2, 2}, {202, 2012, 406, 4034}));
    }
}

TEST(OnnxGemm, MultipliesIntegersByWholeNumbers) {
    ModelBuilder model;
    model.input("a", i64, {2, 2}).output("y").node("Gemm", {"a", "a", "a"}, {"y"});
    node(model).with("alpha", 2.0f).with("beta", -1.0f);
    const Tensor a = tensor_of<std::int64_t>({2, 2}, {1, 2, 3, std::int64_t{1} << 40});
    const std::int64_t power = std::int64_t{1} << 40;
    expect_same(model.run({a}).at(0),
                tensor_of<std::int64_t>({2, 2}, {13, 4 * power + 2, 6 * power + 3, 12 - power}));
    ModelBuilder half;
    half.input("a", i64, {2, 2}).output("y").node("Gemm", {"a", "a"}, {"y"}).with("alpha", 0.5f);
    expect_error<UnsupportedError>(
        [&] { half.read(); }, "attribute 'alpha' is 0.500000, which A's type, i64, can't hold");
}

ModelBuilder open_gemm(const PartialShape& c) {
    ModelBuilder model(13);
    model.input("a", f32, {-1, -1}).input("b", f32, {-1, -1}).input("c", f32, c).output("y");
    model.node("Gemm", {"a", "b", "c"}, {"y"}, "gemm");
    return model;
}

TEST(OnnxGemm, TakesOpenShapes) {
    const std::vector<float> numbers{1, 2, 3, 4};
    for (const Shape& shape :
         {Shape{}, Shape{1}, Shape{2}, Shape{1, 2}, Shape{2, 1}, Shape{2, 2}}) {
        const auto count = static_cast<std::ptrdiff_t>(element_count(shape));
        const auto c =
            tensor_of<float>(shape, std::vector<float>(numbers.begin(), numbers.begin() + count));
        const auto expected = gemm(c).run({kA}).at(0);
        for (const auto& known :
             {PartialShape(shape), PartialShape::of_rank(shape.size()), PartialShape()}) {
            const auto model = open_gemm(known);
            expect_same(model.run({kA, kB, c}).at(0), expected);
            EXPECT_EQ(model.read()->results()[0]->input(0).node().name(), "gemm");
        }
    }
}

TEST(OnnxGemm, NeverBroadcastsTheProduct) {
    const auto row = tensor_of<float>({1, 2}, {1, 2});
    const auto c = tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
    for (const auto& shape : {PartialShape{3, 2}, PartialShape{-1, -1}, PartialShape()}) {
        expect_error<ModelError>([&] { open_gemm(shape).run({row, kB, c}); }, "can't be reshaped");
    }
    const auto column = tensor_of<float>({2, 1}, {1, 2});
    const auto wide = tensor_of<float>({3}, {1, 2, 3});
    for (const auto& shape : {PartialShape{3}, PartialShape{-1}}) {
        auto model = open_gemm(shape);
        node(model).with("alpha", 2.0f).with("transA", 1).with("transB", 1);
        expect_error<ModelError>([&] { model.run({kA, row, wide}); }, "can't be reshaped");
        expect_error<ModelError>(
            [&] {
                open_gemm(shape).run({kA, column, wide});
            },
            "can't be reshaped");
    }
}

TEST(OnnxGemm, AddsNoOpsWhereShapesAreKnown) {
    ModelBuilder model(13);
    model.input("a", f32, {-1, 2}).initializer("b", kB).output("y");
    model.initializer("c", tensor_of<float>({2}, {1, 2})).node("Gemm", {"a", "b", "c"}, {"y"});
    const auto graph = model.read();
    const Node& sum = graph->results()[0]->input(0).node();
    EXPECT_EQ(sum.type_name(), "Add");
    EXPECT_EQ(sum.input(0).node().type_name(), "MatMul");
}

}  // namespace
}  // namespace rondo::onnx::gemm_test
