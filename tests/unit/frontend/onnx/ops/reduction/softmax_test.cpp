// Tests a part of frontend/onnx/ops/reduction/along_axis.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::softmax_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;

constexpr ElementType f32 = ElementType::f32;

// exp(x) / sum(exp(x)) over rows of `width` elements.
Tensor expected(const Tensor& x, std::size_t width) {
    Tensor y(f32, x.shape());
    for (std::size_t row = 0; row < x.size() / width; ++row) {
        const float* from = x.data<float>() + row * width;
        double sum = 0;
        for (std::size_t i = 0; i < width; ++i) sum += std::exp(double{from[i]});
        for (std::size_t i = 0; i < width; ++i) {
            y.data<float>()[row * width + i] = static_cast<float>(std::exp(double{from[i]}) / sum);
        }
    }
    return y;
}

ModelBuilder softmax(std::int64_t opset, const PartialShape& shape, const std::int64_t* axis) {
    ModelBuilder model(opset);
    model.input("x", f32, shape).output("y");
    auto node = model.node("Softmax", {"x"}, {"y"});
    if (axis) node.with("axis", *axis);
    return model;
}

class OnnxSoftmax : public testing::Test {
protected:
    test::Rng rng_ = test::test_rng();
    Tensor x_ = test::random_tensor(f32, {2, 3, 4}, rng_);
};

// Before opset 13 all axes from the given one on are normalised together.
TEST_F(OnnxSoftmax, FlattensInOldOpsets) {
    const std::size_t widths[] = {24, 12, 4};
    for (const PartialShape& shape : {PartialShape{2, 3, 4}, PartialShape::of_rank(3)}) {
        for (std::int64_t axis = -3; axis < 3; ++axis) {
            const auto model = softmax(11, shape, &axis);
            const std::size_t width = widths[(axis + 3) % 3];
            expect_near(model.run({x_}).at(0), expected(x_, width), 1e-6);
        }
        expect_near(softmax(7, shape, nullptr).run({x_}).at(0), expected(x_, 12), 1e-6);
    }
    const std::int64_t axis = 1;
    expect_near(softmax(11, PartialShape(), &axis).run({x_}).at(0), expected(x_, 12), 1e-6);
}

TEST_F(OnnxSoftmax, TakesOneAxisSinceOpset13) {
    expect_near(softmax(13, {2, 3, 4}, nullptr).run({x_}).at(0), expected(x_, 4), 1e-6);
    const std::int64_t axis = 1;
    const Tensor y = softmax(13, {2, 3, 4}, &axis).run({x_}).at(0);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += y.data<float>()[i * 4];
    EXPECT_NEAR(sum, 1, 1e-6);
}

// Both forms have the axis rules of Softmax.
TEST_F(OnnxSoftmax, TakesLogarithms) {
    const auto logs = [&](std::size_t width) {
        Tensor y = expected(x_, width);
        for (std::size_t i = 0; i < y.size(); ++i)
            y.data<float>()[i] = std::log(y.data<float>()[i]);
        return y;
    };
    for (const std::int64_t opset : {1, 11, 13}) {
        ModelBuilder model(opset);
        model.input("x", f32, {2, 3, 4}).output("y");
        model.node("LogSoftmax", {"x"}, {"y"});
        expect_near(model.run({x_}).at(0), logs(opset == 13 ? 4 : 12), 1e-5);
    }
}

TEST_F(OnnxSoftmax, KeepsEmptyTensors) {
    for (const std::int64_t opset : {7, 11}) {
        for (const Shape& shape : {Shape{0, 3, 4}, Shape{2, 0, 3}, Shape{2, 3, 0}}) {
            for (std::int64_t axis = 0; axis < 3; ++axis) {
                for (const PartialShape& declared :
                     {PartialShape(shape), PartialShape::of_rank(3)}) {
                    const auto model = softmax(opset, declared, &axis);
                    EXPECT_EQ(model.run({Tensor(f32, shape)}).at(0).shape(), shape)
                        << to_string(declared) << " " << axis;
                }
            }
        }
    }
}

TEST_F(OnnxSoftmax, RefusesBadAxes) {
    std::int64_t axis = 3;
    expect_error<ModelError>(
        [&] {
            softmax(11, {2, 3, 4}, &axis).read();
        },
        "axis 3 is out of range for rank 3");
    axis = -1;
    expect_error<UnsupportedError>([&] { softmax(11, PartialShape(), &axis).read(); },
                                   "axis is -1, but the input's rank isn't known");
    axis = std::int64_t{1} << 62;
    expect_error<UnsupportedError>([&] { softmax(11, PartialShape(), &axis).read(); },
                                   "but the input's rank isn't known");
}

}  // namespace
}  // namespace rondo::onnx::softmax_test
