// Products of quantised rows against their definition, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests::integer_formats_test {
namespace {

// A row of 16 bits in two parts, the lower one from 0 to 255; of 8 bits the lower one alone.
struct QuantizedRow {
    float scale = 0;
    std::vector<std::int64_t> lower, upper;
};

QuantizedRow words_of(const std::vector<float>& row) {
    float most = 0;
    for (const float value : row) most = std::max(most, std::abs(value));
    QuantizedRow result;
    result.scale = most / 32767;
    const float factor = 1 / result.scale;
    for (const float value : row) {
        const auto integer = std::clamp<std::int64_t>(std::lrint(value * factor), -32767, 32767);
        result.lower.push_back(integer & 255);
        result.upper.push_back((integer - (integer & 255)) / 256);
    }
    return result;
}

QuantizedRow bytes_of(const std::vector<float>& row) {
    float least = 0, greatest = 0;
    for (const float value : row) {
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    }
    QuantizedRow result;
    result.scale = greatest / 255 - least / 255;
    const auto zero = std::lrint(-least * (1 / result.scale));
    const float factor = 1 / result.scale;
    for (const float value : row) {
        const auto integer = std::lrint(value * factor) + zero;
        result.lower.push_back(std::clamp<std::int64_t>(integer, 0, 255) - zero);
    }
    result.upper.assign(row.size(), 0);
    return result;
}

struct Weights {
    std::int64_t lower, upper;  // a signed byte each
};

Weights parts_of(int weight) {
    const auto lower = static_cast<std::int8_t>(weight);
    return {lower, (weight - lower) / 256};
}

// The product of a row and a column, before the scales.
float product_of(const WeightFormat& format, const QuantizedRow& row, const int* column) {
    std::int64_t sums[3] = {};
    for (std::size_t k = 0; k < row.lower.size(); ++k) {
        if (format.weight_planes() == 1) {
            sums[0] += row.lower[k] * column[k];
            sums[1] += row.upper[k] * column[k];
        } else {
            const Weights weights = parts_of(column[k]);
            sums[0] += row.lower[k] * weights.lower;
            sums[1] += row.lower[k] * weights.upper + row.upper[k] * weights.lower;
            sums[2] += row.upper[k] * weights.upper;
        }
    }
    int power = format.sums() - 1;
    auto result = static_cast<float>(sums[power]);
    while (--power >= 0) result = std::fma(result, 256.0F, static_cast<float>(sums[power]));
    return result;
}

class EveryIntegerGemm : public testing::TestWithParam<const GemmKernelEntry*> {
protected:
    void SetUp() override {
        if (GetParam()->isa > cpu_features().best()) GTEST_SKIP() << "this CPU lacks it";
        kernel = GetParam()->make();
    }

    std::vector<float> floats(std::int64_t count, double size) {
        std::vector<float> result;
        for (const double value : random.doubles(count, size)) {
            result.push_back(static_cast<float>(value));
        }
        return result;
    }

    void expect_defined(std::int64_t m, std::int64_t k, std::int64_t n);

    std::unique_ptr<GemmKernel> kernel;
    Random random;
};

void EveryIntegerGemm::expect_defined(std::int64_t m, std::int64_t k, std::int64_t n) {
    const WeightFormat& format = kernel->format();
    const bool bytes = format.weight_planes() == 1;
    const auto a = floats(m * k, 3), bias = floats(n, 1), scales = floats(n, 0.01);
    std::vector<int> integers;  // transposed
    std::vector<std::int8_t> as_bytes;
    std::vector<std::int16_t> as_words;
    for (const double value : random.doubles(k * n, bytes ? 128 : kMostOfI16Weights)) {
        integers.push_back(static_cast<int>(value));
        as_bytes.push_back(static_cast<std::int8_t>(value));
        as_words.push_back(static_cast<std::int16_t>(value));
    }
    const void* data = bytes ? static_cast<const void*>(as_bytes.data()) : as_words.data();
    const auto packed = kernel->pack(transposed(data, k, n), bias.data(), scales.data());
    std::vector<float> c(static_cast<std::size_t>(m * n), 77);
    GemmArgs args;
    args.m = m;
    args.a = a.data();
    args.a_stride = k;
    args.c = c.data();
    args.c_stride = n;
    kernel->run(packed.view, args);
    for (std::int64_t i = 0; i < m; ++i) {
        const std::vector<float> row(a.begin() + i * k, a.begin() + (i + 1) * k);
        const QuantizedRow quantized = format.row_bits == 8 ? bytes_of(row) : words_of(row);
        for (std::int64_t j = 0; j < n; ++j) {
            const auto column = static_cast<std::size_t>(j);
            const float sum = k == 0 ? 0 : product_of(format, quantized, integers.data() + j * k);
            const float scaled = k == 0 ? 0 : sum * quantized.scale;
            const float expected = std::fma(scaled, scales[column], bias[column]);
            ASSERT_TRUE(same_bits(c[static_cast<std::size_t>(i * n + j)], expected))
                << GetParam()->name << " m=" << i << "/" << m << " k=" << k << " n=" << j << "/"
                << n;
        }
    }
}

TEST_P(EveryIntegerGemm, IsWhatItsDefinitionSays) {
    for (const std::int64_t k : {0, 1, 2, 3, 4, 5, 37, 64, 129, 300}) {
        for (const std::int64_t n : {1, 15, 16, 33, 130}) {
            for (const std::int64_t m : {1, 2, 3, 5, 7, 16, 50}) expect_defined(m, k, n);
        }
    }
}

TEST_P(EveryIntegerGemm, TakesTheLongestRows) { expect_defined(3, kMaxQuantized, 17); }

// The largest numbers of all, with equal signs: no sum overflows. Few rows, and those of a tile.
TEST_P(EveryIntegerGemm, HoldsTheGreatestSums) {
    const bool narrow = kernel->format().weight_planes() == 1;
    for (const std::int64_t k : {std::int64_t{2048}, std::int64_t{4096}, kMaxQuantized}) {
        const auto size = static_cast<std::size_t>(k);
        const std::vector<std::int8_t> bytes(size, 127);
        const std::vector<std::int16_t> words(size, kMostOfI16Weights);
        const void* data = narrow ? static_cast<const void*>(bytes.data()) : words.data();
        const auto packed = kernel->pack(transposed(data, k, 1));
        for (const std::int64_t m : {1, 4}) {
            const std::vector<float> a(static_cast<std::size_t>(m) * size, 1);
            std::vector<float> c(static_cast<std::size_t>(m));
            GemmArgs args;
            args.m = m;
            args.a = a.data();
            args.a_stride = k;
            args.c = c.data();
            args.c_stride = 1;
            kernel->run(packed.view, args);
            const double expected = (narrow ? 127.0 : kMostOfI16Weights) * static_cast<double>(k);
            for (const float sum : c) EXPECT_NEAR(sum / expected, 1, 1e-4);
        }
    }
}

std::vector<const GemmKernelEntry*> entries() {
    std::vector<const GemmKernelEntry*> all;
    for (const GemmKernelEntry& entry : rounding_gemm_kernels()) {
        if (entry.weights.integers()) all.push_back(&entry);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryIntegerGemm, testing::ValuesIn(entries()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace rondo::cpu::tests::integer_formats_test
