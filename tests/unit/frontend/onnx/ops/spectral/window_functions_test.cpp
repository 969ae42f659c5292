// Tests a part of frontend/onnx/ops/spectral/windows.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::window_functions_test {
namespace {

using test::expect_error;
using test::expect_near;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

ModelBuilder window(const char* op, int periodic, int type = 1) {
    ModelBuilder model(17);
    model.input("n", ElementType::i64, PartialShape(Shape{})).output("y");
    model.node(op, {"n"}, {"y"}).with("periodic", periodic).with("output_datatype", type);
    return model;
}

void expect_window(const char* op, int periodic, const std::vector<float>& expected) {
    const auto n = static_cast<std::int64_t>(expected.size());
    const Tensor y = window(op, periodic).run({scalar_of(n)}).at(0);
    expect_near(y, tensor_of<float>({expected.size()}, expected), 1e-6);
}

// Peer: numpy.
TEST(OnnxWindowFunctions, SumCosines) {
    expect_window("HannWindow", 1, {0, 0.5F, 1, 0.5F});
    expect_window("HannWindow", 0, {0, 0.75F, 0.75F, 0});
    expect_window("HammingWindow", 1, {4 / 46.0F, 25 / 46.0F, 1, 25 / 46.0F});
    expect_window("HammingWindow", 0, {4 / 46.0F, 1, 4 / 46.0F});
    expect_window("BlackmanWindow", 1, {0, 0.34F, 1, 0.34F});
    expect_window("BlackmanWindow", 0, {0, 0.63F, 0.63F, 0});
    expect_window("HannWindow", 1, {});
    expect_window("HannWindow", 0, {std::nanf("")});
}

TEST(OnnxWindowFunctions, HaveAnyType) {
    expect_near(window("HannWindow", 1, 11).run({scalar_of<std::int64_t>(2)}).at(0),
                tensor_of<double>({2}, {0, 1}), 1e-15);
    expect_near(window("HannWindow", 1, 6).run({scalar_of<std::int64_t>(4)}).at(0),
                tensor_of<std::int32_t>({4}, {0, 0, 1, 0}), 0);
    expect_error<UnsupportedError>([] { window("HannWindow", 1, 8).read(); }, "STRING");
}

// Integers cut what rounding leaves just below 1.
TEST(OnnxWindowFunctions, AreExactlyZeroAndOneWhereTheyShouldBe) {
    for (const char* op : {"HannWindow", "HammingWindow", "BlackmanWindow"}) {
        for (std::int64_t n = 2; n <= 64; n += 2) {
            const Tensor integers = window(op, 1, 6).run({scalar_of(n)}).at(0);
            const Tensor doubles = window(op, 1, 11).run({scalar_of(n)}).at(0);
            EXPECT_EQ(integers.data<std::int32_t>()[n / 2], 1) << op << " of " << n;
            EXPECT_EQ(doubles.data<double>()[n / 2], 1.0) << op << " of " << n;
            EXPECT_GE(doubles.data<double>()[0], 0.0) << op << " of " << n;
        }
    }
}

}  // namespace
}  // namespace rondo::onnx::window_functions_test
