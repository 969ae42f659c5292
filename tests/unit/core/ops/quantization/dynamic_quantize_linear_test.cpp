#include "core/ops/quantization/dynamic_quantize_linear.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::dynamic_quantize_linear_test {
namespace {

using namespace test;  // NOLINT: tests only

using Bytes = std::vector<std::uint8_t>;

std::vector<Tensor> run(const std::vector<float>& x) {
    const auto node = unchecked<ops::DynamicQuantizeLinear>({});
    const Tensor inputs[] = {tensor_of<float>({x.size()}, x)};
    return reference::evaluate(*node, inputs);
}

void expect_quantized(const std::vector<float>& x, const Bytes& y, float scale,
                      std::uint8_t zero_point) {
    const auto results = run(x);
    expect_same(results.at(0), tensor_of<std::uint8_t>({y.size()}, y));
    expect_same(results.at(1), scalar_of(scale));
    expect_same(results.at(2), scalar_of<std::uint8_t>(zero_point));
}

TEST(DynamicQuantizeLinear, Infers) {
    const auto node = make_node<ops::DynamicQuantizeLinear>(parameter("2,?"));
    EXPECT_EQ(inferred(*node, 0), "u8[2,?]");
    EXPECT_EQ(inferred(*node, 1), "f32[]");
    EXPECT_EQ(inferred(*node, 2), "u8[]");
    const auto open = make_node<ops::DynamicQuantizeLinear>(parameter("..."));
    EXPECT_EQ(inferred(*open, 0), "u8[...]");
}

TEST(DynamicQuantizeLinear, RefusesOtherTypes) {
    expect_error<UnsupportedError>(
        [] {
            unchecked<ops::DynamicQuantizeLinear>({parameter("2", ElementType::f16)})->validate();
        },
        "node 'n' (DynamicQuantizeLinear): the input has type f16; expected f32");
    expect_error<ModelError>([] { unchecked<ops::DynamicQuantizeLinear>({})->validate(); },
                             "got 0 inputs; expected 1");
}

// The examples of ONNX's page.
TEST(DynamicQuantizeLinear, SpreadsTheRange) {
    expect_quantized({0, 2, -3, -2.5F, 1.34F, 0.5F}, {153, 255, 0, 26, 221, 179}, 5.0F / 255, 153);
    expect_quantized({-1, -2.1F, -1.3F, -2.5F, -3.34F, -4}, {191, 121, 172, 96, 42, 0}, 4.0F / 255,
                     255);
    expect_quantized({1, 2.1F, 1.3F, 2.5F, 3.34F, 4}, {64, 134, 83, 159, 213, 255}, 4.0F / 255, 0);
}

TEST(DynamicQuantizeLinear, RoundsHalvesToTheEvenNumber) {
    expect_quantized({0, 255, 0.5F, 1.5F, 2.5F, 253.5F}, {0, 255, 0, 2, 2, 254}, 1, 0);
}

TEST(DynamicQuantizeLinear, HasScaleOneWithoutARange) {
    expect_quantized({0, 0}, {0, 0}, 1, 0);
    expect_quantized({}, {}, 1, 0);
}

TEST(DynamicQuantizeLinear, LeavesNanOut) {
    expect_quantized({std::nanf(""), 255, -0.0F}, {0, 255, 0}, 1, 0);
    const auto infinite = run({std::numeric_limits<float>::infinity(), 1, -1});
    EXPECT_EQ(*infinite.at(2).data<std::uint8_t>(), 0);
    EXPECT_EQ(infinite.at(0).data<std::uint8_t>()[1], 0);
}

}  // namespace
}  // namespace rondo::dynamic_quantize_linear_test
