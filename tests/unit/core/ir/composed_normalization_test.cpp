#include "core/ir/composed_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ir/composed_layer.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::ir::composed_normalization_test {
namespace {

using namespace test;  // NOLINT: tests only

const Tensor kX = floats({1, 2, 2}, {-2, -0.5F, 0.25F, 3});

TEST(ComposedNormalization, BatchNormInferenceNormalisesEachChannel) {
    const Tensor y = run_layer("BatchNormInference", "opset5", {{"epsilon", "0.25"}},
                               {kX, floats({2}, {2, 3}), floats({2}, {1, -1}),
                                floats({2}, {-1, 0.5F}), floats({2}, {0.75F, 2})});
    // x - mean: -1, 0.5 | -0.25, 2.5; scales: 2 / 1, 3 / 1.5.
    expect_same(y, floats({1, 2, 2}, {-1, 2, -1.5F, 4}));
}

// Two groups of two channels: each has mean 0 and variance 1 before scale and bias.
TEST(ComposedNormalization, GroupNormalizationTakesChannelsTogether) {
    const Tensor x = floats({1, 4, 2}, {1, 3, 1, 3, 0, 0, 4, 4});
    const Tensor y =
        run_layer("GroupNormalization", "opset12", {{"num_groups", "2"}, {"epsilon", "0"}},
                  {x, floats({4}, {1, 2, 1, 3}), floats({4}, {0, 1, 5, 0})});
    expect_near(y, floats({1, 4, 2}, {-1, 1, -1, 3, 4, 4, 3, 3}), 1e-6);
    const Tensor half = run_layer(
        "GroupNormalization", "opset12", {{"num_groups", "2"}, {"epsilon", "3"}},
        {converted(x, ElementType::f16), converted(floats({4}, {2, 2, 2, 2}), ElementType::f16),
         converted(floats({4}, {0, 0, 0, 0}), ElementType::f16)});
    const float far = 2 * 2 / std::sqrt(7.0F);
    expect_near(
        half, converted(floats({1, 4, 2}, {-1, 1, -1, 1, -far, -far, far, far}), ElementType::f16),
        1e-3);
}

TEST(ComposedNormalization, GroupNormalizationRefusesGroupsThatDontDivide) {
    const Output x = parameter("1,4,2"), one = parameter("4");
    for (const char* groups : {"3", "0"}) {
        expect_error<ModelError>(
            [&] {
                compose("GroupNormalization", "opset12", {{"num_groups", groups}}, {x, one, one});
            },
            "expected a divisor of the 4 channels");
    }
    expect_error<ModelError>(
        [&] {
            compose("GroupNormalization", "opset12", {{"num_groups", "1"}}, {one, one, one});
        },
        "input 0 has rank 1; expected 2 or more");
}

}  // namespace
}  // namespace rondo::ir::composed_normalization_test
