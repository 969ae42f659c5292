#include "plugins/cpu/kernels/product/quantized_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests::quantized_rows_test {
namespace {

constexpr int kPairs = 2, kFours = 4;

struct Quantized {
    float scale;
    std::int32_t zero;
    std::vector<int> integers;  // 0 to 255
};

// The integers of a row of `k` in either form; the rest of the last step must be zeros, and what
// lies behind it stay as it was.
template <typename Q>
std::vector<int> integers_of(const std::vector<char>& memory, std::int64_t k, int together,
                             std::int32_t taken) {
    std::vector<Q> stored(memory.size() / sizeof(Q));
    std::memcpy(stored.data(), memory.data(), memory.size());
    const auto padded = static_cast<std::size_t>(whole_steps(k, together));
    for (auto i = static_cast<std::size_t>(k); i < padded; ++i) EXPECT_EQ(stored[i], 0);
    EXPECT_EQ(memory[padded * sizeof(Q)], 77);
    std::vector<int> result;
    for (std::int64_t i = 0; i < k; ++i) {
        result.push_back(static_cast<int>(stored[static_cast<std::size_t>(i)]) + taken);
    }
    return result;
}

// All instruction sets and both forms alike.
Quantized quantized(const std::vector<float>& row) {
    const auto k = static_cast<std::int64_t>(row.size());
    std::vector<Quantized> all;
    for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
        if (isa > cpu_features().best()) continue;
        for (const int together : {kPairs, kFours}) {
            std::vector<char> memory(2 * row.size() + 8, 77);
            const RowScale got = quantize_row(isa, together, row.data(), k, memory.data());
            all.push_back({got.scale, got.zero,
                           together == kFours
                               ? integers_of<std::uint8_t>(memory, k, together, 0)
                               : integers_of<std::int16_t>(memory, k, together, got.zero)});
            EXPECT_TRUE(same_bits(all[0].scale, got.scale));
            EXPECT_EQ(all[0].zero, got.zero);
            EXPECT_EQ(all[0].integers, all.back().integers);
        }
    }
    return all[0];
}

TEST(QuantizedRows, RoundToTheNearestStep) {
    Random random;
    for (const std::int64_t k : {1, 7, 8, 16, 64, 101}) {
        for (const double size : {1.0, 1e-20, 3e38}) {
            for (const double shift : {0.0, 0.5, -3.0}) {
                std::vector<float> row;
                for (const double value : random.doubles(k, size)) {
                    row.push_back(static_cast<float>(value / 4 + shift * size / 4));
                }
                const Quantized got = quantized(row);
                EXPECT_TRUE(got.zero >= 0 && got.zero <= 255);
                for (std::size_t i = 0; i < row.size(); ++i) {
                    const double scale = got.scale;
                    // The zero point is rounded too, which the first and last step feel.
                    EXPECT_NEAR((got.integers[i] - got.zero) * scale, row[i], 1.001 * scale);
                }
            }
        }
    }
}

TEST(QuantizedRows, ReachFromTheLeastToTheGreatest) {
    const Quantized positive = quantized({255, 1.5F, 2.5F, 0.25F, 3});
    EXPECT_EQ(positive.scale, 1);
    EXPECT_EQ(positive.zero, 0);
    EXPECT_EQ(positive.integers, (std::vector<int>{255, 2, 2, 0, 3}));
    const Quantized negative = quantized({-255, -1, -1.5F});
    EXPECT_EQ(negative.zero, 255);
    EXPECT_EQ(negative.integers, (std::vector<int>{0, 254, 253}));
    const Quantized both = quantized({-5.5F, 249.5F, 0});  // both ends round away from zero
    EXPECT_EQ(both.zero, 6);
    EXPECT_EQ(both.integers, (std::vector<int>{0, 255, 6}));
}

TEST(QuantizedRows, CountTheLeastNumbersAsZeros) {
    for (const float least : {0.0F, 1e-31F, 1e-44F}) {
        const Quantized got = quantized({least, -least, 0});
        EXPECT_EQ(got.scale, 0);
        EXPECT_EQ(got.zero, 0);
        EXPECT_EQ(got.integers, (std::vector<int>{0, 0, 0}));
    }
    EXPECT_EQ(quantized({1e-29F}).integers, (std::vector<int>{255}));
    EXPECT_TRUE(quantized({}).integers.empty());
}

TEST(QuantizedRows, GiveNanForWhatIsNotFinite) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float wrong : {infinity, -infinity, std::nanf(""), -std::nanf("")}) {
        const Quantized got = quantized({1, wrong, 2});
        EXPECT_TRUE(std::isnan(got.scale));
        EXPECT_EQ(got.integers, (std::vector<int>{0, 0, 0}));
    }
    const float most = std::numeric_limits<float>::max();
    EXPECT_TRUE(std::isfinite(quantized({most, -most}).scale));
}

TEST(QuantizedRows, HoldAtLeastOneRow) {
    for (const int together : {kPairs, kFours}) {
        EXPECT_EQ(QuantizedRows(Isa::plain, kPairs, kMaxQuantized).capacity(), 1);
        EXPECT_EQ(QuantizedRows(Isa::plain, together, 0).capacity(), QuantizedRows::kMaxRows);
        QuantizedRows rows(Isa::plain, together, 2);
        const float numbers[] = {1, 255, -4, 0};
        rows.load(0, numbers);
        rows.load(1, numbers + 2);
        EXPECT_EQ(rows.scales()[0], 1);
        EXPECT_EQ(rows.scales()[1], 4.0F / 255);
        EXPECT_EQ(rows.zeros()[0], 0);
        EXPECT_EQ(rows.zeros()[1], 255);
        EXPECT_EQ(static_cast<const char*>(rows.row(1)) - static_cast<const char*>(rows.row(0)), 4);
    }
}

// What a step takes is a matter of the machine for AVX-512 alone.
TEST(QuantizedRows, KnowTheStepsOfAnInstructionSet) {
    EXPECT_EQ(numbers_of_step(Isa::avx512, ElementType::f32), 1);
    EXPECT_EQ(numbers_of_step(Isa::avx2, ElementType::i8), 2);
    EXPECT_EQ(numbers_of_step(Isa::plain, ElementType::i8), 2);
    EXPECT_EQ(numbers_of_step(Isa::avx512, ElementType::i8), cpu_features().vnni ? 4 : 2);
    EXPECT_EQ(whole_steps(5, 4), 8);
    EXPECT_EQ(whole_steps(8, 4), 8);
}

}  // namespace
}  // namespace rondo::cpu::tests::quantized_rows_test
