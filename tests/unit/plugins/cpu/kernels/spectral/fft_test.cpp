#include "plugins/cpu/kernels/spectral/fft.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/reference/spectral/transform.hpp"
#include "tests/support/rng.hpp"

namespace rondo::cpu::fft_test {
namespace {

using reference::Spectrum;

// The error, relative to the root of the sum of squares.
double error_of(std::int64_t n, std::int64_t lanes, std::int64_t lane) {
    auto rng = test::test_rng();
    const Fft fft(n);
    std::vector<double> work(static_cast<std::size_t>(fft.work_size(lanes)));
    const Planes x = fft.input(work.data(), lanes);
    Spectrum line;
    for (std::int64_t i = 0; i < n * lanes; ++i) {
        x.re[i] = test::uniform(rng, -1, 1);
        x.im[i] = test::uniform(rng, -1, 1);
        if (i % lanes == lane) line.emplace_back(x.re[i], x.im[i]);
    }
    const Spectrum expected = reference::transformed(line);
    const Planes y = fft.run(work.data(), lanes);
    double error = 0, norm = 0;
    for (std::int64_t k = 0; k < n; ++k) {
        const std::complex<double> found(y.re[k * lanes + lane], y.im[k * lanes + lane]);
        error += std::norm(found - expected[static_cast<std::size_t>(k)]);
        norm += std::norm(expected[static_cast<std::size_t>(k)]);
    }
    return std::sqrt(error / norm);
}

TEST(Fft, TransformsLinesOfAnyLength) {
    for (std::int64_t n = 1; n <= 130; ++n) {
        EXPECT_LT(error_of(n, 1, 0), 5e-15) << n;
    }
    for (const std::int64_t n : {256, 320, 480, 512, 961, 1000, 1021, 2042, 4096}) {
        EXPECT_LT(error_of(n, 1, 0), 5e-15) << n;
    }
}

TEST(Fft, TransformsLinesSideBySide) {
    for (const std::int64_t n : {1, 2, 9, 15, 28, 31, 37, 60, 64}) {
        for (const std::int64_t lanes : {2, 3, 4, 7, 16}) {
            EXPECT_LT(error_of(n, lanes, lanes - 1), 5e-15) << n << " x " << lanes;
        }
    }
}

std::vector<double> bits_of_line(std::int64_t n, std::int64_t lanes, std::int64_t lane) {
    auto rng = test::test_rng();
    const Fft fft(n);
    std::vector<double> work(static_cast<std::size_t>(fft.work_size(lanes)));
    const Planes x = fft.input(work.data(), lanes);
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t other = 0; other < lanes; ++other) {
            x.re[i * lanes + other] = x.im[i * lanes + other] = static_cast<double>(other);
        }
        x.re[i * lanes + lane] = test::uniform(rng, -1, 1);
        x.im[i * lanes + lane] = 0;
    }
    const Planes y = fft.run(work.data(), lanes);
    std::vector<double> line;
    for (std::int64_t k = 0; k < n; ++k) line.push_back(y.re[k * lanes + lane]);
    return line;
}

TEST(Fft, GivesALineTheSameBitsBesideAnyOthers) {
    for (const std::int64_t n : {12, 35, 41, 64, 100}) {
        const auto alone = bits_of_line(n, 1, 0);
        for (const std::int64_t lanes : {3, 4, 11}) {
            EXPECT_EQ(bits_of_line(n, lanes, lanes / 2), alone) << n << " x " << lanes;
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::fft_test
