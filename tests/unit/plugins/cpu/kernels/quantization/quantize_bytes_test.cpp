#include "plugins/cpu/kernels/quantization/quantize_bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/rng.hpp"

namespace rondo::cpu::quantize_bytes_test {
namespace {

std::vector<float> numbers(std::size_t count, double low, double high) {
    auto rng = test::test_rng();
    std::vector<float> x(count);
    for (auto& value : x) value = static_cast<float>(test::uniform(rng, low, high));
    return x;
}

std::vector<Isa> isas() {
    std::vector<Isa> isas;
    for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
        if (isa <= cpu_features().best()) isas.push_back(isa);
    }
    return isas;
}

TEST(QuantizeBytes, FindsTheRangeOfAnyCount) {
    for (const std::size_t count : {0u, 1u, 31u, 32u, 33u, 131u}) {
        for (const double shift : {-3.0, 0.0, 3.0}) {
            auto x = numbers(count, shift - 2, shift + 2);
            if (count > 1) x[1] = std::nanf("");
            float low = 0, high = 0;
            for (const float value : x) {
                low = std::fmin(low, value);
                high = std::fmax(high, value);
            }
            for (const Isa isa : isas()) {
                const ByteRange range = byte_range(isa, x.data(), static_cast<std::int64_t>(count));
                EXPECT_EQ(range.low, low);
                EXPECT_EQ(range.high, high);
            }
        }
    }
}

TEST(QuantizeBytes, SpreadsTheRangeOver255) {
    const ByteScale both = byte_scale({-3, 2});
    EXPECT_EQ(both.scale, 5.0F / 255);
    EXPECT_EQ(both.zero_point, 153);
    EXPECT_EQ(byte_scale({-4, 0}).zero_point, 255);
    EXPECT_EQ(byte_scale({0, 4}).zero_point, 0);
    EXPECT_EQ(byte_scale({0, 0}).scale, 1);
    EXPECT_EQ(byte_scale({-std::numeric_limits<float>::infinity(), 1}).zero_point, 0);
}

TEST(QuantizeBytes, RoundsAsTheFormulaSays) {
    auto x = numbers(2000, -300, 300);
    for (std::size_t i = 0; i < x.size(); i += 3) x[i] = std::floor(x[i]) + 0.5F;  // halves
    x[5] = std::nanf("");
    x[6] = std::numeric_limits<float>::infinity();
    x[7] = -std::numeric_limits<float>::infinity();
    x[8] = 1e30F;
    for (const float scale : {1.0F, 2.0F, 0.37F, 1e-30F}) {
        for (const int zero : {0, 1, 128, 255}) {
            for (const Isa isa : isas()) {
                std::vector<std::uint8_t> to(x.size() + 1, 77);
                quantize_bytes(isa, x.data(), static_cast<std::int64_t>(x.size()),
                               {scale, static_cast<std::uint8_t>(zero)}, to.data());
                for (std::size_t i = 0; i < x.size(); ++i) {
                    const double whole = std::nearbyint(x[i] / scale) + zero;
                    const double expected = std::isnan(whole) ? 0 : std::clamp(whole, 0.0, 255.0);
                    ASSERT_EQ(to[i], expected) << x[i] << " by " << scale << ", " << zero;
                }
                EXPECT_EQ(to.back(), 77);
            }
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::quantize_bytes_test
