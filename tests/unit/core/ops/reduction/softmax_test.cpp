// Tests a part of core/ops/reduction/reduction_ops.hpp.
#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::softmax_test {
namespace {

using namespace test;  // NOLINT: tests only

template <typename T = ops::Softmax>
Tensor run(const Tensor& x, std::int64_t axis) {
    T node;
    node.set_name("n");
    node.set_axis(axis);
    return evaluate_one(node, {x});
}

TEST(Softmax, HasTwoForms) {
    EXPECT_EQ(ops::find_op("SoftMax", "opset7")->type, &ops::Softmax1::kType);
    EXPECT_EQ(ops::find_op("SoftMax", "opset13")->type, &ops::Softmax::kType);
    EXPECT_EQ(ops::Softmax::kType.opset_name(), "opset8");
    for (const char* opset : {"opset1", "opset8"}) {
        const auto node = ops::find_op("Softmax", opset)->make();
        EXPECT_EQ(attributes_of(*node)[0].first, "axis");
        EXPECT_EQ(attributes_of(*node)[0].second, "1");
        EXPECT_NE(reference::find_evaluator(node->op_type()), nullptr);
    }
}

TEST(Softmax, KeepsTypeAndShape) {
    EXPECT_EQ(inferred(*make_node<ops::Softmax>(parameter("?,3"), -2)), "f32[?,3]");
    EXPECT_EQ(inferred(*make_node<ops::Softmax1>(parameter("2,3", ElementType::f16), 0)),
              "f16[2,3]");
    EXPECT_EQ(inferred(*make_node<ops::Softmax>(parameter("..."), 7)), "f32[...]");
    EXPECT_EQ(inferred(*make_node<ops::Softmax>(parameter(""), -1)), "f32[]");
}

TEST(Softmax, RefusesBadAxesAndTypes) {
    const auto node = unchecked<ops::Softmax>({parameter("2,3")});
    node->set_axis(-3);
    expect_error<ModelError>([&] { node->validate(); },
                             "node 'n' (SoftMax): axis -3 is out of range for rank 2");
    const auto old = unchecked<ops::Softmax1>({parameter("...")});
    old->set_axis(-1);
    expect_error<ModelError>([&] { old->validate(); }, "axis is -1; expected 0 or more");
    old->set_axis(std::numeric_limits<std::int64_t>::max());
    old->set_inputs({parameter("2,3")});
    expect_error<ModelError>([&] { old->validate(); }, "is out of range for rank 2");
    const auto integer = unchecked<ops::Softmax>({parameter("2,3", ElementType::i64)});
    expect_error<UnsupportedError>([&] { integer->validate(); },
                                   "the input is i64; expected a floating type");
    const auto wide = unchecked<ops::Softmax>({parameter("2"), parameter("2")});
    expect_error<ModelError>([&] { wide->validate(); }, "got 2 inputs; expected 1");
}

TEST(Softmax, SharesAlongAnAxis) {
    const auto x = tensor_of<double>({2, 2}, {0, std::log(3.0), std::log(4.0), std::log(1.0)});
    expect_near(run(x, 1), tensor_of<double>({2, 2}, {0.25, 0.75, 0.8, 0.2}), 1e-15);
    expect_near(run(x, -2), tensor_of<double>({2, 2}, {0.2, 0.75, 0.8, 0.25}), 1e-15);
    expect_near(run<ops::Softmax1>(x, 0), run(x, -2), 0);
}

TEST(Softmax, SharesAlongAMiddleAxis) {
    auto rng = test_rng();
    const auto x = random_tensor(ElementType::f64, {2, 3, 4}, rng, -5, 5);
    const auto y = run(x, 1);
    for (std::size_t n = 0; n < 2; ++n) {
        for (std::size_t k = 0; k < 4; ++k) {
            double sum = 0;
            for (std::size_t j = 0; j < 3; ++j)
                sum += std::exp(x.data<double>()[n * 12 + j * 4 + k]);
            for (std::size_t j = 0; j < 3; ++j) {
                const std::size_t at = n * 12 + j * 4 + k;
                EXPECT_NEAR(y.data<double>()[at], std::exp(x.data<double>()[at]) / sum, 1e-15);
            }
        }
    }
}

TEST(Softmax, TakesExtremes) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    expect_same(run(tensor_of<float>({2}, {3e38f, 3e38f}), 0), tensor_of<float>({2}, {.5f, .5f}));
    expect_same(run(tensor_of<float>({2}, {-kInfinity, 1}), 0), tensor_of<float>({2}, {0, 1}));
    expect_same(run(tensor_of<float>({1, 2}, {-2000, 2000}), 1), tensor_of<float>({1, 2}, {0, 1}));
    const float nan = std::nanf("");
    expect_same(run(tensor_of<float>({2}, {nan, 1}), 0), tensor_of<float>({2}, {nan, nan}));
    expect_same(run(scalar_of(7.f), 0), scalar_of(1.f));
    EXPECT_EQ(run(Tensor(ElementType::f32, {2, 0}), 1).shape(), (Shape{2, 0}));
    EXPECT_EQ(run(Tensor(ElementType::f32, {0, 2}), 1).shape(), (Shape{0, 2}));
}

TEST(Softmax, ComputesHalves) {
    const auto x = tensor_of<float16, double>({3}, {0, 0, 0});
    expect_same(run(x, 0), tensor_of<float16, double>({3}, {1. / 3, 1. / 3, 1. / 3}));
}

}  // namespace
}  // namespace rondo::softmax_test
