#include "plugins/cpu/kernels/product/byte_gemm.hpp"

#include <gtest/gtest.h>

#include <vector>

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
std::vector<std::int32_t> product(Isa isa, const Case& one, const ByteData& a, const ByteData& b,
                                  const ByteData& zeros) {
    constexpr std::int32_t kZeroPoint = 5;
    const auto rows = static_cast<std::size_t>(one.m);
    std::vector<std::int16_t> centred(rows * static_cast<std::size_t>(centred_size(one.k)), 99);
    std::vector<std::int32_t> sums(rows);
    for (std::int64_t i = 0; i < one.m; ++i) {
        sums[static_cast<std::size_t>(i)] = centre_row(a.from(i * one.k), one.k, kZeroPoint,
                                                       centred.data() + i * centred_size(one.k));
    }
    std::vector<std::uint8_t> panels(packed_byte_size(one.k, one.n) + 1, 77);
    const std::int64_t panel_count = byte_panels(one.n);
    pack_bytes(b.data, one.k, one.n, panels.data(), {0, panel_count});
    EXPECT_EQ(panels.back(), 77);
    std::vector<std::int32_t> c(rows * static_cast<std::size_t>(one.n) + 1, 77);
    ByteGemm gemm;
    gemm.rows = centred.data();
    gemm.sums = sums.data();
    gemm.panels = {panels.data(), one.b_signed};
    gemm.zero_points = zeros;
    gemm.zero_point_step = one.many_zero_points ? 1 : 0;
    gemm.c = c.data();
    gemm.k = one.k;
    gemm.n = one.n;
    const std::int64_t middle = one.m / 2;
    byte_gemm(isa, gemm, {0, middle}, {0, panel_count});
    byte_gemm(isa, gemm, {middle, one.m}, {0, panel_count / 2});
    byte_gemm(isa, gemm, {middle, one.m}, {panel_count / 2, panel_count});
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
        EXPECT_EQ(product(isa, one, left, right, zero_points), expected) << name_of(isa);
    }
}

TEST(ByteGemm, IsExact) {
    auto rng = test::test_rng();
    for (const std::int64_t m : {1, 2, 3, 4, 5, 6, 7, 13}) {
        for (const std::int64_t n : {1, 15, 16, 17, 50}) {
            for (const std::int64_t k : {0, 1, 2, 7, 64}) {
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
