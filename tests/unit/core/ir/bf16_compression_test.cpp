// Tests a part of core/ir/compressed_weights.hpp.
#include "core/ir/compressed_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/tensors.hpp"

namespace rondo::bf16_compression_test {
namespace {

using ir::compress_to_bf16;
using test::tensor_of;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Bf16Compression, RoundsToNearestEven) {
    const Tensor half = compress_to_bf16(
        tensor_of<float>({2, 2}, {1.0f + 0x1p-8f, 1.0f + 0x3p-8f, -1e30f, 0x1p-130f}));
    ASSERT_TRUE(half);
    EXPECT_EQ(half.shape(), (Shape{2, 2}));
    const auto* bits = half.data<bfloat16>();
    EXPECT_EQ(bits[0].bits, 0x3f80);
    EXPECT_EQ(bits[1].bits, 0x3f82);
    EXPECT_NEAR(static_cast<float>(bits[2]), -1e30f, 4e27f);
    EXPECT_EQ(static_cast<float>(bits[3]), 0x1p-130f);
}

TEST(Bf16Compression, KeepsInfinityAndNan) {
    const Tensor half = compress_to_bf16(tensor_of<double>({3}, {kInfinity, kNan, 0.5}));
    ASSERT_TRUE(half);
    EXPECT_EQ(static_cast<float>(half.data<bfloat16>()[0]), kInfinity);
    EXPECT_TRUE(std::isnan(static_cast<float>(half.data<bfloat16>()[1])));
    EXPECT_EQ(static_cast<float>(half.data<bfloat16>()[2]), 0.5f);
}

TEST(Bf16Compression, LeavesWhatItWouldHarmOrNotHelp) {
    EXPECT_FALSE(compress_to_bf16(tensor_of<float>({1}, {0.1f})));
    EXPECT_FALSE(compress_to_bf16(Tensor(ElementType::f32, {0})));
    EXPECT_FALSE(compress_to_bf16(tensor_of<std::int64_t>({2}, {1, 2})));
    EXPECT_FALSE(compress_to_bf16(tensor_of<double>({2}, {1, 1e300})));
    EXPECT_FALSE(compress_to_bf16(tensor_of<float>({2}, {1, 3.4e38f})));  // rounds up past the end
}

}  // namespace
}  // namespace rondo::bf16_compression_test
