// Tests a part of core/ir/compressed_weights.hpp.
#include "core/ir/compressed_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/window/samplers.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::f16_compression_test {
namespace {

using ir::compress_to_f16;
using test::tensor_of;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(F16Compression, RoundsToNearestEven) {
    const Tensor half = compress_to_f16(
        tensor_of<float>({2, 2}, {1.0f + 0x1p-11f, 1.0f + 0x3p-11f, -0.1f, 65504.0f}));
    ASSERT_TRUE(half);
    EXPECT_EQ(half.shape(), (Shape{2, 2}));
    const auto* bits = half.data<float16>();
    EXPECT_EQ(bits[0].bits, 0x3c00);
    EXPECT_EQ(bits[1].bits, 0x3c02);
    EXPECT_EQ(bits[2].bits, 0xae66);
    EXPECT_EQ(bits[3].bits, 0x7bff);
}

TEST(F16Compression, ClampsWhatIsTooLarge) {
    const Tensor half =
        compress_to_f16(tensor_of<float>({7}, {1e9f, -1e9f, kInfinity, -kInfinity, 1, 2, 3}));
    ASSERT_TRUE(half);
    const auto* values = half.data<float16>();
    EXPECT_EQ(static_cast<float>(values[0]), 65504.0f);
    EXPECT_EQ(static_cast<float>(values[1]), -65504.0f);
    EXPECT_EQ(static_cast<float>(values[2]), 65504.0f);
    EXPECT_EQ(static_cast<float>(values[3]), -65504.0f);
}

TEST(F16Compression, KeepsNan) {
    const Tensor half = compress_to_f16(tensor_of<float>({2}, {kNan, 1}));
    ASSERT_TRUE(half);
    EXPECT_TRUE(std::isnan(static_cast<float>(half.data<float16>()[0])));
}

TEST(F16Compression, CompressesDoubles) {
    const Tensor half = compress_to_f16(tensor_of<double>({2}, {0.5, 1e300}));
    ASSERT_TRUE(half);
    EXPECT_EQ(half.data<float16>()[0].bits, 0x3800);
    EXPECT_EQ(half.data<float16>()[1].bits, 0x7bff);
}

TEST(F16Compression, LeavesWhatWouldLoseThreeQuarters) {
    EXPECT_FALSE(compress_to_f16(tensor_of<float>({4}, {1e9f, 1e9f, 1e9f, 1})));
    EXPECT_TRUE(compress_to_f16(tensor_of<float>({5}, {1e9f, 1e9f, 1e9f, 1, 1})));
    EXPECT_FALSE(compress_to_f16(tensor_of<float>({4}, {1e-9f, -1e-9f, 1e-9f, 1})));
    EXPECT_FALSE(compress_to_f16(tensor_of<float>({1}, {65505.0f})));
    EXPECT_TRUE(compress_to_f16(tensor_of<float>({2}, {0.0f, -0.0f})));
}

// A rounded bound may change how many elements there are.
TEST(F16Compression, LeavesWhatDecidesExtents) {
    const auto number = [](float value) {
        return make_node<ops::Constant>(test::scalar_of(value));
    };
    const auto half = number(0.5f);
    const auto type = [&] { return ir::compressed(*half, ElementType::f16).element_type(); };
    EXPECT_EQ(type(), ElementType::f16);
    EXPECT_FALSE(ir::compressed(*half, ElementType::f32));
    const auto sum = make_node<ops::Binary>(ops::BinaryFunction::add, half, number(1));
    EXPECT_EQ(type(), ElementType::f16);
    const auto range = make_node<ops::Range>(number(0), number(4), half, ElementType::f32);
    EXPECT_FALSE(ir::compressed(*half, ElementType::f16));
}

TEST(F16Compression, LeavesScales) {
    const auto scales = make_node<ops::Constant>(tensor_of<float>({2}, {1.1f, 1.1f}));
    EXPECT_TRUE(ir::compressed(*scales, ElementType::bf16));
    const auto x = make_node<ops::Parameter>(ElementType::f32, PartialShape{1, 1, 10, 10});
    const auto axes = make_node<ops::Constant>(tensor_of<std::int64_t>({2}, {2, 3}));
    ops::InterpolateAttributes attributes;
    attributes.extents = ops::ExtentRule::scales;
    const auto resized =
        make_node<ops::Interpolate>(std::vector<Output>{x, scales, axes}, attributes);
    EXPECT_EQ(resized->output_shape(0), PartialShape({1, 1, 11, 11}));
    EXPECT_FALSE(ir::compressed(*scales, ElementType::bf16));
    EXPECT_FALSE(ir::compressed(*scales, ElementType::f16));
}

TEST(F16Compression, LeavesAScalarThatWouldChange) {
    EXPECT_FALSE(compress_to_f16(test::scalar_of(1.5338524f)));  // off by 0.02 %
    EXPECT_TRUE(compress_to_f16(test::scalar_of(0.7860579f)));   // off by 0.0095 %
    EXPECT_TRUE(compress_to_f16(tensor_of<float>({2}, {1.5338524f, 1.5338524f})));
}

TEST(F16Compression, LeavesOtherTypesAndNothing) {
    EXPECT_FALSE(compress_to_f16(tensor_of<std::int64_t>({1}, {3})));
    EXPECT_FALSE(compress_to_f16(tensor_of<float16, float>({1}, {3})));
    EXPECT_FALSE(compress_to_f16(Tensor(ElementType::f32, {0})));
}

TEST(F16Compression, ReadsStridedTensors) {
    float memory[] = {1, 9, 2, 9};
    const Tensor half = compress_to_f16(Tensor(ElementType::f32, {2}, memory, {8}));
    ASSERT_TRUE(half);
    EXPECT_EQ(static_cast<float>(half.data<float16>()[1]), 2.0f);
}

}  // namespace
}  // namespace rondo::f16_compression_test
