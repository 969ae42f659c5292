#include "plugins/cpu/kernels/product/quantized_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
    std::int32_t zero;          // 8 bits only
    std::vector<int> integers;  // 0 to 255, or -32767 to 32767
};

// A number of a plane; in pairs they have 16 bits.
int number_at(const std::vector<char>& memory, std::int64_t place, int together) {
    if (together != kPairs)
        return static_cast<std::uint8_t>(memory[static_cast<std::size_t>(place)]);
    std::int16_t number = 0;
    std::memcpy(&number, memory.data() + 2 * place, sizeof number);
    return number;
}

// The integers of a row of `k` in either form; the rest of the last step must be zeros, and what
// lies after it stay as it was. `taken`: what the last plane lacks.
std::vector<int> integers_of(const std::vector<char>& memory, std::int64_t k, int bits,
                             int together, int taken) {
    const std::int64_t planes = bits / 8, padded = whole_steps(k, together);
    std::vector<int> result;
    for (std::int64_t i = 0; i < padded; ++i) {
        const std::int64_t place = i / together * together * planes + i % together;
        int integer = number_at(memory, place, together);
        if (planes == 2) {
            integer += 256 * (number_at(memory, place + together, together) + taken);
        } else if (i < k) {
            integer += taken;
        }
        if (i < k) {
            result.push_back(integer);
        } else {
            EXPECT_EQ(integer, 0);
        }
    }
    const std::int64_t number_bytes = together == kPairs ? 2 : 1;
    EXPECT_EQ(memory[static_cast<std::size_t>(padded * planes * number_bytes)], 77);
    return result;
}

// All instruction sets and both forms alike.
Quantized quantized(const std::vector<float>& row, int bits = 8) {
    const auto k = static_cast<std::int64_t>(row.size());
    std::vector<Quantized> all;
    for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
        if (isa > cpu_features().best()) continue;
        for (const int together : {kPairs, kFours, kTileNumbers}) {
            std::vector<char> memory(4 * row.size() + 4 * kTileNumbers, 77);
            const RowScale got = quantize_row(isa, bits, together, row.data(), k, memory.data());
            const int taken =
                bits == 16 ? (together == kPairs ? 0 : -128) : (together == kPairs ? got.zero : 0);
            all.push_back({got.scale, bits == 8 ? got.zero : 0,
                           integers_of(memory, k, bits, together, taken)});
            if (bits == 16) {
                EXPECT_EQ(got.zero, together == kPairs ? 0 : 128);
            }
            EXPECT_TRUE(same_bits(all[0].scale, got.scale));
            EXPECT_EQ(all[0].zero, all.back().zero);
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

TEST(QuantizedRows, OfWordsRoundToTheNearestStep) {
    Random random;
    for (const std::int64_t k : {1, 2, 5, 7, 8, 9, 64, 101, 511, 512, 513, 1030}) {
        for (const double size : {1.0, 1e-20, 3e38}) {
            std::vector<float> row;
            for (const double value : random.doubles(k, size)) {
                row.push_back(static_cast<float>(value / 2));
            }
            const Quantized got = quantized(row, 16);
            float most = 0;
            for (const float value : row) most = std::max(most, std::abs(value));
            EXPECT_EQ(got.scale, most / 32767);
            for (std::size_t i = 0; i < row.size(); ++i) {
                const double scale = got.scale;
                EXPECT_NEAR(got.integers[i] * scale, row[i], 0.505 * scale);
            }
        }
    }
    EXPECT_EQ(quantized({32767, -32767, 255, 256, -1, -256, -257}, 16).integers,
              (std::vector<int>{32767, -32767, 255, 256, -1, -256, -257}));
}

TEST(QuantizedRows, CountTheLeastNumbersAsZeros) {
    for (const float least : {0.0F, 1e-31F, 1e-44F}) {
        const Quantized got = quantized({least, -least, 0});
        EXPECT_EQ(got.scale, 0);
        EXPECT_EQ(got.zero, 0);
        EXPECT_EQ(got.integers, (std::vector<int>{0, 0, 0}));
        EXPECT_EQ(quantized({least, -least, 0}, 16).integers, (std::vector<int>{0, 0, 0}));
    }
    EXPECT_TRUE(quantized({}, 16).integers.empty());
    EXPECT_EQ(quantized({1e-29F}).integers, (std::vector<int>{255}));
    EXPECT_TRUE(quantized({}).integers.empty());
}

TEST(QuantizedRows, GiveNanForWhatIsNotFinite) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float wrong : {infinity, -infinity, std::nanf(""), -std::nanf("")}) {
        const Quantized got = quantized({1, wrong, 2});
        EXPECT_TRUE(std::isnan(got.scale));
        EXPECT_TRUE(std::isnan(quantized({1, wrong, 2}, 16).scale));
        EXPECT_EQ(got.integers, (std::vector<int>{0, 0, 0}));
    }
    const float most = std::numeric_limits<float>::max();
    EXPECT_TRUE(std::isfinite(quantized({most, -most}).scale));
}

TEST(QuantizedRows, HoldAtLeastOneRow) {
    for (const WeightFormat& format : kIntegerFormats) {
        EXPECT_GE(QuantizedRows(Isa::plain, format, kPairs, kMaxQuantized).capacity(), 1);
        EXPECT_EQ(QuantizedRows(Isa::plain, format, kPairs, 0).capacity(), QuantizedRows::kMaxRows);
        QuantizedRows rows(Isa::plain, format, kPairs, 2);
        EXPECT_EQ(rows.stride(), 4 * format.row_planes());
        const float numbers[] = {1, 255, -4, 0};
        rows.load(0, numbers);
        rows.load(1, numbers + 2);
        const int steps = format.row_bits == 8 ? 255 : 32767;
        EXPECT_EQ(rows.scales()[0], 255.0F / static_cast<float>(steps));
        EXPECT_EQ(rows.scales()[1], 4.0F / static_cast<float>(steps));
        EXPECT_EQ(rows.zeros()[0], 0);
        EXPECT_EQ(rows.zeros()[1], format.row_bits == 8 ? 255 : 0);
        EXPECT_EQ(static_cast<const char*>(rows.row(1)) - static_cast<const char*>(rows.row(0)),
                  4 * format.row_planes());
    }
}

// What a step takes is a matter of the machine.
TEST(QuantizedRows, KnowTheStepsOfAnInstructionSet) {
    EXPECT_EQ(numbers_of_step(Isa::avx512, ElementType::f32), 1);
    EXPECT_EQ(numbers_of_step(Isa::avx2, ElementType::i8), cpu_features().avx_vnni ? 4 : 2);
    EXPECT_EQ(numbers_of_step(Isa::avx2, kBf16), 2);
    EXPECT_EQ(numbers_of_step(Isa::avx512, ElementType::bf16), 1);
    EXPECT_EQ(numbers_of_step(Isa::plain, ElementType::i8), 2);
    EXPECT_EQ(numbers_of_step(Isa::avx512, ElementType::i8), cpu_features().vnni ? 4 : 2);
    EXPECT_EQ(whole_steps(5, 4), 8);
    EXPECT_EQ(whole_steps(8, 4), 8);
}

}  // namespace
}  // namespace rondo::cpu::tests::quantized_rows_test
