// Products of bf16 against their definition, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests::bf16_products_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What a number counts as in a product.
float half_of(float value) {
    if (std::abs(value) < 0x1p-56F) return 0;
    return static_cast<float>(static_cast<bfloat16>(value));
}

// The sum over both, from the bias on.
float product_of(const std::vector<float>& row, const std::vector<float>& column, float sum) {
    for (std::size_t first = 0; first < row.size(); first += 32) {
        float even = 0, odd = 0;
        for (std::size_t k = first; k < std::min(row.size(), first + 32); ++k) {
            float& chain = k % 2 == 0 ? even : odd;
            chain = std::fma(half_of(row[k]), half_of(column[k]), chain);
        }
        sum += even + odd;
    }
    return sum;
}

class EveryBf16Gemm : public testing::TestWithParam<const GemmKernelEntry*> {
protected:
    void SetUp() override {
        if (GetParam()->isa > cpu_features().best()) GTEST_SKIP() << "this CPU lacks it";
        kernel = GetParam()->make();
    }

    // Numbers of very different sizes, some of which count as zeros.
    std::vector<float> floats(std::int64_t count) {
        std::vector<float> result;
        const auto exponents = random.doubles(count, 70);
        const auto values = random.doubles(count, 1);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool far = i % 7 == 0;
            const double value =
                far ? std::ldexp(values[i], static_cast<int>(exponents[i])) : values[i];
            result.push_back(static_cast<float>(value));
        }
        return result;
    }

    std::vector<float> run(const std::vector<float>& a, const MatrixView& b, const float* bias,
                           std::int64_t m) {
        const auto packed = kernel->pack(b, bias);
        std::vector<float> c(static_cast<std::size_t>(m * b.n), 77);
        GemmArgs args;
        args.m = m;
        args.a = a.data();
        args.a_stride = b.k;
        args.c = c.data();
        args.c_stride = b.n;
        kernel->run(packed.view, args);
        return c;
    }

    // Columns of B lie in one piece or apart.
    void expect_defined(std::int64_t m, std::int64_t k, std::int64_t n, bool by_columns) {
        const auto a = floats(m * k), b = floats(k * n), bias = floats(n);
        std::vector<bfloat16> halves;
        for (const float value : b) halves.push_back(static_cast<bfloat16>(half_of(value)));
        const MatrixView view =
            by_columns ? transposed(halves.data(), k, n) : row_major(halves.data(), k, n);
        const auto c = run(a, view, bias.data(), m);
        for (std::int64_t i = 0; i < m; ++i) {
            const std::vector<float> row(a.begin() + i * k, a.begin() + (i + 1) * k);
            for (std::int64_t j = 0; j < n; ++j) {
                std::vector<float> column;
                for (std::int64_t at = 0; at < k; ++at) {
                    column.push_back(
                        b[static_cast<std::size_t>(by_columns ? j * k + at : at * n + j)]);
                }
                const float expected = product_of(row, column, bias[static_cast<std::size_t>(j)]);
                ASSERT_TRUE(same_bits(c[static_cast<std::size_t>(i * n + j)], expected))
                    << GetParam()->name << " m=" << i << "/" << m << " k=" << k << " n=" << j << "/"
                    << n;
            }
        }
    }

    std::unique_ptr<GemmKernel> kernel;
    Random random;
};

TEST_P(EveryBf16Gemm, IsWhatItsDefinitionSays) {
    for (const std::int64_t k : {0, 1, 2, 3, 31, 32, 33, 37, 64, 129, 300}) {
        for (const std::int64_t n : {1, 15, 16, 33, 130}) {
            for (const std::int64_t m : {1, 2, 3, 5, 7, 16, 50}) {
                expect_defined(m, k, n, (m + n + k) % 2 == 0);
            }
        }
    }
}

TEST_P(EveryBf16Gemm, TakesTheLongestRows) { expect_defined(3, kMaxQuantized, 17, true); }

// Few rows and those of a tile, alone and among numbers of others.
TEST_P(EveryBf16Gemm, CarriesWhatIsNotFinite) {
    for (const std::int64_t k : {2, 40}) {
        for (const std::int64_t m : {1, 16}) {
            std::vector<float> a(static_cast<std::size_t>(m * k), 1);
            a[0] = kInfinity;
            const std::vector<bfloat16> b(static_cast<std::size_t>(k), static_cast<bfloat16>(3.0F));
            const MatrixView column = transposed(b.data(), k, 1);
            EXPECT_EQ(run(a, column, nullptr, m)[0], kInfinity);
            const auto rest = run(a, column, nullptr, m);
            EXPECT_EQ(rest.back(), m > 1 ? static_cast<float>(3 * k) : kInfinity);
            a[1] = -kInfinity;
            EXPECT_TRUE(std::isnan(run(a, column, nullptr, m)[0]));
            a[0] = 1;
            a[1] = std::numeric_limits<float>::quiet_NaN();
            EXPECT_TRUE(std::isnan(run(a, column, nullptr, m)[0]));
            // Rounds up to infinity.
            a[1] = std::numeric_limits<float>::max();
            EXPECT_EQ(run(a, column, nullptr, m)[0], kInfinity);
        }
    }
}

std::vector<const GemmKernelEntry*> entries() {
    std::vector<const GemmKernelEntry*> all;
    for (const GemmKernelEntry& entry : rounding_gemm_kernels()) {
        if (entry.weights.chains_pairs()) all.push_back(&entry);
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryBf16Gemm, testing::ValuesIn(entries()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace rondo::cpu::tests::bf16_products_test
