#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::dft_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::NodeBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32, i64 = ElementType::i64;

ModelBuilder dft(std::int64_t opset, const PartialShape& shape,
                 const std::vector<std::string>& inputs = {"x"}) {
    ModelBuilder model(opset);
    model.input("x", f32, shape).output("y");
    model.node("DFT", inputs, {"y"}, "dft");
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

const Tensor kReal = tensor_of<float>({1, 4, 1}, {1, 2, 3, 4});
const Tensor kComplex = tensor_of<float>({1, 4, 2}, {1, 0, 2, 0, 3, 0, 4, 0});
const Tensor kSpectrum = tensor_of<float>({1, 4, 2}, {10, 0, -2, 2, -2, 0, -2, -2});
const Tensor kHalf = tensor_of<float>({1, 3, 2}, {10, 0, -2, 2, -2, 0});

TEST(OnnxDft, TransformsRealAndComplexNumbers) {
    for (const std::int64_t opset : {17, 20}) {
        for (const auto& shape :
             {PartialShape{1, 4, 1}, PartialShape{-1, -1, 1}, PartialShape::of_rank(3)}) {
            expect_near(dft(opset, shape).run({kReal}).at(0), kSpectrum, 1e-5);
        }
        expect_near(dft(opset, {1, 4, 2}).run({kComplex}).at(0), kSpectrum, 1e-5);
        expect_near(dft(opset, PartialShape::of_rank(3)).run({kComplex}).at(0), kSpectrum, 1e-5);
        auto inverse = dft(opset, {1, 4, 2});
        node(inverse).with("inverse", 1);
        expect_near(inverse.run({kSpectrum}).at(0), kComplex, 1e-5);
    }
}

TEST(OnnxDft, Onesided) {
    for (const std::int64_t opset : {17, 20}) {
        for (const auto& shape : {PartialShape{1, 4, 1}, PartialShape::of_rank(3)}) {
            auto model = dft(opset, shape);
            node(model).with("onesided", 1);
            expect_near(model.run({kReal}).at(0), kHalf, 1e-5);
        }
        auto back = dft(opset, {1, 3, 2});
        node(back).with("onesided", 1).with("inverse", 1);
        expect_near(back.run({kHalf}).at(0), kReal, 1e-5);
    }
}

TEST(OnnxDft, TakesALength) {
    for (const auto& length : {scalar_of<std::int64_t>(2), tensor_of<std::int64_t>({1}, {2})}) {
        auto model = dft(17, {1, 4, 1}, {"x", "n"});
        model.input("n", i64, length.shape());
        expect_near(model.run({kReal, length}).at(0), tensor_of<float>({1, 2, 2}, {3, 0, -1, 0}),
                    1e-5);
    }
    auto back = dft(20, {1, 3, 2}, {"x", "n"});
    back.initializer("n", scalar_of<std::int32_t>(1));
    node(back).with("onesided", 1).with("inverse", 1);
    expect_near(back.run({kHalf}).at(0), tensor_of<float>({1, 1, 1}, {10}), 1e-5);
}

TEST(OnnxDft, TakesAnAxis) {
    const auto x = tensor_of<float>({2, 2, 1}, {1, 2, 3, 5});
    const auto rows = tensor_of<float>({2, 2, 2}, {4, 0, 7, 0, -2, 0, -3, 0});
    const auto columns = tensor_of<float>({2, 2, 2}, {3, 0, -1, 0, 8, 0, -2, 0});
    for (const std::int64_t axis : {0, 1, -2, -3}) {
        const Tensor& expected = axis == 0 || axis == -3 ? rows : columns;
        auto attribute = dft(17, {2, 2, 1});
        node(attribute).with("axis", axis);
        expect_near(attribute.run({x}).at(0), expected, 1e-5);
        auto known = dft(20, {2, 2, 1}, {"x", "", "axis"});
        known.initializer("axis", scalar_of(axis));
        expect_near(known.run({x}).at(0), expected, 1e-5);
        auto open = dft(20, {2, 2, 1}, {"x", "", "axis"});
        open.input("axis", i64, PartialShape(Shape{}));
        expect_near(open.run({x, scalar_of(axis)}).at(0), expected, 1e-5);
    }
    auto open = dft(20, {2, 2, 1}, {"x", "", "axis"});
    open.input("axis", i64, PartialShape(Shape{}));
    for (const std::int64_t axis : {-1, 2}) {
        expect_error<ModelError>([&] { open.run({x, scalar_of(axis)}); }, "out of range");
    }
}

TEST(OnnxDft, RefusesWhatTheSpecificationForbids) {
    for (const std::int64_t axis : {2, -1, -4}) {
        auto model = dft(17, {1, 4, 1});
        node(model).with("axis", axis);
        expect_error<ModelError>([&] { model.read(); }, "expected -3 to -2, or 0 to 1");
    }
    expect_error<ModelError>(
        [] {
            dft(17, {1, 4, 3}).read();
        },
        "expected rank 2 or more with a last axis of 1 (real) or 2");
    expect_error<UnsupportedError>([] { dft(17, PartialShape()).read(); }, "its rank isn't known");
    auto both = dft(17, {1, 4, 2});
    node(both).with("onesided", 1);
    expect_error<ModelError>([&] { both.read(); },
                             "onesided of an input whose last extent is 2; expected 1");
    auto back = dft(17, {1, 4, 1});
    node(back).with("onesided", 1).with("inverse", 1);
    expect_error<ModelError>([&] { back.read(); }, "expected 2");
}

}  // namespace
}  // namespace rondo::onnx::dft_test
