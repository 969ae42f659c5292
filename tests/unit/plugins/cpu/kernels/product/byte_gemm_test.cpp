#include "plugins/cpu/kernels/product/byte_gemm.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "tests/support/rng.hpp"

namespace rondo::cpu::byte_gemm_test {
namespace {

struct Case {
    std::int64_t m, k, n;
    bool a_signed, b_signed;
    bool many_zero_points;
};

std::vector<std::uint8_t> random_bytes(std::int64_t count, test::Rng& rng) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    for (auto& byte : bytes) {
        // The ends of the range are the hard numbers.
        const auto kind = test::uniform_int(rng, 0, 5);
        byte = static_cast<std::uint8_t>(kind == 0   ? 0
                                         : kind == 1 ? 255
                                         : kind == 2 ? 128
                                                     : test::uniform_int(rng, 0, 255));
    }
    return bytes;
}

// The same rows and panels in two parts.
std::vector<std::int32_t> product(const ByteKernel& kernel, const Case& one, const ByteData& a,
                                  const ByteData& b, const ByteData& zeros) {
    constexpr std::int32_t kZeroPoint = 5;
    const auto rows = static_cast<std::size_t>(one.m);
    const std::int64_t row_bytes = kernel.row_bytes(one.k);
    AlignedBytes loaded(static_cast<std::size_t>(kernel.rows_read(one.m) * row_bytes + 1));
    std::vector<std::int32_t> sums(rows), row_zeros(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        const auto row = static_cast<std::int64_t>(i);
        const ByteRow got = kernel.load_row(a.from(row * one.k), one.k, kZeroPoint,
                                            loaded.data() + row * row_bytes);
        sums[i] = got.sum;
        row_zeros[i] = got.zero;
    }
    const std::size_t packed_bytes = kernel.packed_bytes(one.k, one.n);
    AlignedBytes panels(packed_bytes + 1);
    panels.data()[packed_bytes] = std::byte{77};
    const std::int64_t panel_count = byte_panels(one.n);
    kernel.pack(b, one.k, one.n, panels.data(), {0, panel_count});
    EXPECT_EQ(panels.data()[packed_bytes], std::byte{77});
    std::vector<std::int32_t> c(rows * static_cast<std::size_t>(one.n) + 1, 77);
    ByteGemm gemm;
    gemm.rows = loaded.data();
    gemm.sums = sums.data();
    gemm.row_zeros = row_zeros.data();
    gemm.panels = {panels.data(), one.b_signed};
    gemm.zero_points = zeros;
    gemm.zero_point_step = one.many_zero_points ? 1 : 0;
    gemm.c = c.data();
    gemm.k = one.k;
    gemm.n = one.n;
    const std::int64_t middle = one.m / 2;
    kernel.run(gemm, {0, middle}, {0, panel_count});
    kernel.run(gemm, {middle, one.m}, {0, panel_count / 2});
    kernel.run(gemm, {middle, one.m}, {panel_count / 2, panel_count});
    EXPECT_EQ(c.back(), 77);
    c.pop_back();
    return c;
}

void expect_exact(const Case& one, test::Rng& rng) {
    const auto a = random_bytes(one.m * one.k, rng), b = random_bytes(one.k * one.n, rng);
    const auto zeros = random_bytes(one.n, rng);
    const ByteData left{a.data(), one.a_signed}, right{b.data(), one.b_signed};
    const ByteData zero_points{zeros.data(), one.b_signed};
    std::vector<std::int32_t> expected;
    for (std::int64_t i = 0; i < one.m; ++i) {
        for (std::int64_t j = 0; j < one.n; ++j) {
            std::int64_t sum = 0;
            for (std::int64_t k = 0; k < one.k; ++k) {
                sum += (left.at(i * one.k + k) - 5) *
                       (right.at(k * one.n + j) - zero_points.at(one.many_zero_points ? j : 0));
            }
            expected.push_back(static_cast<std::int32_t>(sum));
        }
    }
    for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
        if (isa > cpu_features().best()) continue;
        const auto kernel = shared_byte_kernel(isa, ElementType::i32);
        EXPECT_EQ(product(*kernel, one, left, right, zero_points), expected) << kernel->name();
        if (isa != Isa::avx512) continue;
        const auto pairs = make_byte_pairs(isa, ElementType::i32);
        EXPECT_EQ(product(*pairs, one, left, right, zero_points), expected) << pairs->name();
    }
}

TEST(ByteGemm, IsExact) {
    auto rng = test::test_rng();
    for (const std::int64_t m : {1, 2, 3, 4, 5, 6, 7, 13, 40, 70}) {
        for (const std::int64_t n : {1, 15, 16, 17, 50, 130}) {
            for (const std::int64_t k : {0, 1, 2, 7, 64, 65, 200}) {
                SCOPED_TRACE("m " + std::to_string(m) + ", k " + std::to_string(k) + ", n " +
                             std::to_string(n));
                const bool many = test::uniform_int(rng, 0, 1) == 1;
                for (const bool a_signed : {false, true}) {
                    for (const bool b_signed : {false, true}) {
                        expect_exact({m, k, n, a_signed, b_signed, many}, rng);
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::byte_gemm_test
