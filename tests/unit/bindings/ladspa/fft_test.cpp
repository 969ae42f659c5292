// The transform against its definition.
#include "bindings/ladspa/denoise/fft.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/bindings/ladspa/host.hpp"

namespace rondo::test::fft_test {
namespace {

using denoise::Complex;
using denoise::Fft;

// Bin `k` by its definition, in double precision.
std::complex<double> bin_of(const std::vector<float>& samples, std::size_t k) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double angle =
            -2 * 3.141592653589793 * double(i * k % samples.size()) / double(samples.size());
        sum += double(samples[i]) * std::polar(1.0, angle);
    }
    return sum;
}

class EachLength : public testing::TestWithParam<std::size_t> {};

TEST_P(EachLength, IsTheTransformByItsDefinition) {
    Fft fft(GetParam());
    const std::vector<float> samples = noise(GetParam());
    std::vector<Complex> bins(fft.bins());
    fft.forward(samples.data(), bins.data());
    const double most = 1e-6 * std::sqrt(double(GetParam())) * 4;
    for (std::size_t k = 0; k < bins.size(); ++k) {
        EXPECT_LT(std::abs(std::complex<double>(bins[k]) - bin_of(samples, k)), most) << k;
    }
}

TEST_P(EachLength, GoesBack) {
    Fft fft(GetParam());
    const std::vector<float> samples = noise(GetParam());
    std::vector<Complex> bins(fft.bins());
    std::vector<float> back(GetParam());
    fft.forward(samples.data(), bins.data());
    // Real samples have real bins there; what a network adds doesn't count.
    bins.front().imag(3);
    bins.back().imag(-2);
    fft.back(bins.data(), back.data());
    for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_NEAR(back[i], samples[i], 2e-6) << i;
}

INSTANTIATE_TEST_SUITE_P(Fft, EachLength,
                         testing::Values(2, 4, 6, 8, 16, 30, 62, 320, 480, 512, 960, 1022, 2048));

}  // namespace
}  // namespace rondo::test::fft_test
