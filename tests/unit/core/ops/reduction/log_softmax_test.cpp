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

namespace rondo::log_softmax_test {
namespace {

using namespace test;  // NOLINT: tests only

Tensor run(const Tensor& x, std::int64_t axis) {
    ops::LogSoftmax node;
    node.set_axis(axis);
    return evaluate_one(node, {x});
}

TEST(LogSoftmax, IsOfOpset5) {
    EXPECT_EQ(ops::find_op("LogSoftmax", "opset4"), nullptr);
    EXPECT_EQ(ops::find_op("LogSoftmax", "opset13")->type, &ops::LogSoftmax::kType);
    EXPECT_EQ(attributes_of(ops::LogSoftmax()).at(0).second, "1");
}

TEST(LogSoftmax, KeepsTypeAndShape) {
    EXPECT_EQ(inferred(*make_node<ops::LogSoftmax>(parameter("?,3"), -2)), "f32[?,3]");
    const auto integer = unchecked<ops::LogSoftmax>({parameter("2,3", ElementType::i64)});
    expect_error<UnsupportedError>(
        [&] { integer->validate(); },
        "node 'n' (LogSoftmax): the input is i64; expected a floating type");
}

TEST(LogSoftmax, TakesTheLogarithmOfSoftmax) {
    const auto x = tensor_of<double>({2, 2}, {0, std::log(3.0), std::log(4.0), std::log(1.0)});
    const auto logs = [](const std::vector<double>& values) {
        std::vector<double> result;
        for (const double value : values) result.push_back(std::log(value));
        return tensor_of<double>({2, 2}, result);
    };
    expect_near(run(x, 1), logs({0.25, 0.75, 0.8, 0.2}), 1e-15);
    expect_near(run(x, -2), logs({0.2, 0.75, 0.8, 0.25}), 1e-15);
}

// Where the fraction itself would be 0.
TEST(LogSoftmax, TakesExtremes) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    expect_same(run(tensor_of<float>({2}, {-2000, 2000}), 0), tensor_of<float>({2}, {-4000, 0}));
    expect_same(run(tensor_of<float>({2}, {-kInfinity, 1}), 0),
                tensor_of<float>({2}, {-kInfinity, 0}));
    const float nan = std::nanf("");
    expect_same(run(tensor_of<float>({2}, {nan, 1}), 0), tensor_of<float>({2}, {nan, nan}));
    expect_same(run(scalar_of(7.f), 0), scalar_of(0.f));
    EXPECT_EQ(run(Tensor(ElementType::f16, {2, 0}), 1).shape(), (Shape{2, 0}));
}

}  // namespace
}  // namespace rondo::log_softmax_test
