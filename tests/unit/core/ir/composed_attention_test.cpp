// Tests a part of core/ir/composed_ops.cpp.
#include "core/ir/composed_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ir/composed_layer.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::ir::composed_attention_test {
namespace {

using namespace test;  // NOLINT: tests only

// Two rows, three keys, vectors of two numbers.
const Tensor kQuery = floats({1, 2, 2}, {1, -1, 0.5F, 2});
const Tensor kKey = floats({1, 3, 2}, {1, 0, 0, 1, -1, 2});
const Tensor kValue = floats({1, 3, 1}, {3, -2, 7});

// The formula, with what is added to each score.
Tensor expected(double scale, const std::vector<double>& bias) {
    Tensor result(ElementType::f32, {1, 2, 1});
    for (std::size_t row = 0; row < 2; ++row) {
        double sum = 0, weighted = 0;
        for (std::size_t key = 0; key < 3; ++key) {
            const float* q = kQuery.data<float>() + row * 2;
            const float* k = kKey.data<float>() + key * 2;
            const double score = scale * (q[0] * k[0] + q[1] * k[1]) + bias[row * 3 + key];
            sum += std::exp(score);
            weighted += std::exp(score) * kValue.data<float>()[key];
        }
        result.data<float>()[row] = static_cast<float>(weighted / sum);
    }
    return result;
}

Tensor attention(const Texts& attributes, std::vector<Tensor> more = {}) {
    std::vector<Tensor> inputs{kQuery, kKey, kValue};
    inputs.insert(inputs.end(), more.begin(), more.end());
    return run_layer("ScaledDotProductAttention", "opset13", attributes, inputs);
}

TEST(ComposedAttention, ScalesMasksAndAverages) {
    const double scale = 1 / std::sqrt(2.0), away = -INFINITY;
    const std::vector<double> none(6);
    expect_near(attention({}), expected(scale, none), 1e-6);
    expect_near(attention({{"causal", "true"}}), expected(scale, {0, away, away, 0, 0, away}),
                1e-6);
    const Tensor added = floats({2, 3}, {0.5F, 0, -1, 2, 1, 0});
    expect_near(attention({}, {added}), expected(scale, {0.5, 0, -1, 2, 1, 0}), 1e-6);
    const Tensor kept = tensor_of<bool>({1, 1, 3}, {true, false, true});
    expect_near(attention({}, {kept}), expected(scale, {0, away, 0, 0, away, 0}), 1e-6);
    expect_near(attention({}, {scalar_of(0.0F), scalar_of(0.25F)}), expected(0.25, none), 1e-6);
    expect_near(attention({{"causal", "true"}}, {added, floats({1}, {2})}),
                expected(2, {0, away, away, 0, 0, away}), 1e-6);
}

TEST(ComposedAttention, RefusesOtherNumbersOfInputs) {
    const Output x = parameter("1,2,2");
    expect_error<ModelError>(
        [&] {
            compose("ScaledDotProductAttention", "opset13", {}, {x, x});
        },
        "it has 2 inputs; expected 3 to 5");
}

}  // namespace
}  // namespace rondo::ir::composed_attention_test
