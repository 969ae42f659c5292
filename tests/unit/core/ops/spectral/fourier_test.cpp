#include "core/ops/spectral/spectral_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::fourier_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::FourierFunction;

constexpr auto kDft = FourierFunction::dft;
constexpr auto kIdft = FourierFunction::idft;
constexpr auto kIrdft = FourierFunction::irdft;
constexpr auto kRdft = FourierFunction::rdft;

std::shared_ptr<ops::Fourier> fourier(FourierFunction function, std::vector<Output> inputs) {
    return named<ops::Fourier>(function, std::move(inputs));
}

std::string shape_after(FourierFunction function, std::string_view data, const Ints& axes) {
    return inferred(*fourier(function, {parameter(data), ints(axes)}));
}

std::string shape_after(FourierFunction function, std::string_view data, const Ints& axes,
                        const Ints& sizes) {
    return inferred(*fourier(function, {parameter(data), ints(axes), ints(sizes)}));
}

Tensor transformed(FourierFunction function, const Tensor& data, const Ints& axes,
                   const Ints& sizes = {}) {
    std::vector<Tensor> inputs{data, int_vector(axes)};
    if (!sizes.empty()) inputs.push_back(int_vector(sizes));
    return evaluate_one(ops::Fourier(function), inputs);
}

TEST(Fourier, KeepsTheShapeOfComplexData) {
    for (const auto function : {kDft, kIdft}) {
        EXPECT_EQ(shape_after(function, "3,4,2", {1}), "f32[3,4,2]");
        EXPECT_EQ(shape_after(function, "3,?,2", {-1, 0}), "f32[3,?,2]");
        EXPECT_EQ(shape_after(function, "3,?,?", {1}, {7}), "f32[3,7,2]");
        EXPECT_EQ(shape_after(function, "3,4,2", {1, 0}, {-1, 9}), "f32[9,4,2]");
        EXPECT_EQ(shape_after(function, "...", {1}), "f32[...]");
    }
}

TEST(Fourier, HalvesAndDoublesTheAxisOfRealData) {
    EXPECT_EQ(shape_after(kRdft, "3,8", {1}), "f32[3,5,2]");
    EXPECT_EQ(shape_after(kRdft, "3,7", {-2, -1}), "f32[3,4,2]");
    EXPECT_EQ(shape_after(kRdft, "4..9,3", {1, 0}), "f32[3..5,3,2]");
    EXPECT_EQ(shape_after(kRdft, "?", {0}), "f32[1..,2]");
    EXPECT_EQ(shape_after(kRdft, "?", {0}, {5}), "f32[3,2]");
    EXPECT_EQ(shape_after(kIrdft, "3,5,2", {1}), "f32[3,8]");
    EXPECT_EQ(shape_after(kIrdft, "3,5,2", {0, 1}, {-1, 9}), "f32[3,9]");
    EXPECT_EQ(shape_after(kIrdft, "?,2..4,2", {1}), "f32[?,2..6]");
    EXPECT_EQ(shape_after(kIrdft, "?,2", {0}), "f32[?]");
}

TEST(Fourier, WaitsForAxesAndSizes) {
    EXPECT_EQ(inferred(*fourier(kDft, {parameter("3,4,2"), unknown_ints("1")})), "f32[?,?,2]");
    EXPECT_EQ(inferred(*fourier(kRdft, {parameter("3,4"), ints({0}), unknown_ints("1")})),
              "f32[1..,4,2]");
}

TEST(Fourier, RefusesWhatItCannotTransform) {
    expect_error<ModelError>([] { shape_after(kDft, "3,4", {0}); },
                             "node 'n' (DFT): the data has shape [3,4]; expected a last axis of 2");
    expect_error<ModelError>([] { shape_after(kDft, "3,2", {1}); }, "out of range for rank 1");
    expect_error<ModelError>([] { shape_after(kDft, "3,4,2", {1, -1}); }, "axes name axis 1 twice");
    expect_error<ModelError>([] { shape_after(kRdft, "3,4", {}); }, "axes is empty");
    expect_error<ModelError>(
        [] {
            shape_after(kRdft, "3,4", {1}, {4, 4});
        },
        "signal_size has 2 elements; expected 1, one an axis");
    expect_error<ModelError>([] { shape_after(kRdft, "3,4", {1}, {0}); },
                             "signal_size has 0; expected -1, or 1 or more");
    expect_error<ModelError>([] { shape_after(kIrdft, "3,0,2", {1}); },
                             "an axis without elements has no inverse transform");
    expect_error<ModelError>([] { shape_after(kRdft, "3,0", {1}); },
                             "an axis without elements has no transform");
    EXPECT_EQ(shape_after(kRdft, "0,3", {0, 1}), "f32[0,2,2]");
    expect_error<ModelError>(
        [] {
            fourier(kRdft, {parameter(""), unknown_ints("1")});
        },
        "the data is a scalar");
    expect_error<UnsupportedError>(
        [] {
            fourier(kRdft, {parameter("3", ElementType::i32), ints({0})});
        },
        "the data is i32; expected");
}

// e^(-2 pi j / 4) is -j: 1 + 2 + 3 + 4, 1 - 2j - 3 + 4j, 1 - 2 + 3 - 4, 1 + 2j - 3 - 4j.
TEST(Fourier, SumsTurnedNumbers) {
    const auto x = floats({4, 2}, {1, 0, 2, 0, 3, 0, 4, 0});
    const auto y = floats({4, 2}, {10, 0, -2, 2, -2, 0, -2, -2});
    expect_near(transformed(kDft, x, {0}), y, 1e-6);
    expect_near(transformed(kIdft, y, {0}), x, 1e-6);
    const auto real = floats({4}, {1, 2, 3, 4});
    const auto half = floats({3, 2}, {10, 0, -2, 2, -2, 0});
    expect_near(transformed(kRdft, real, {0}), half, 1e-6);
    expect_near(transformed(kIrdft, half, {0}), real, 1e-6);
    // The imaginary parts of numbers 0 and n/2 say nothing.
    expect_near(transformed(kIrdft, floats({3, 2}, {10, 7, -2, 2, -2, 9}), {0}), real, 1e-6);
}

TEST(Fourier, PadsAndCuts) {
    const auto x = floats({3}, {1, 2, 3});
    expect_near(transformed(kRdft, x, {0}, {4}), floats({3, 2}, {6, 0, -2, -2, 2, 0}), 1e-6);
    expect_near(transformed(kRdft, x, {0}, {2}), floats({2, 2}, {3, 0, -1, 0}), 1e-6);
    const auto half = floats({2, 2}, {6, 0, -2, -2});
    expect_near(transformed(kIrdft, half, {0}, {4}), floats({4}, {0.5, 2.5, 2.5, 0.5}), 1e-6);
    expect_near(transformed(kIrdft, half, {0}, {1}), floats({1}, {6}), 1e-6);
    expect_near(transformed(kIrdft, half, {0}, {3}),
                floats({3}, {2 / 3.0F, 2 + 2 / std::sqrt(3.0F) + 2 / 3.0F,
                             2 - 2 / std::sqrt(3.0F) + 2 / 3.0F}),
                1e-6);
}

TEST(Fourier, TransformsSeveralAxes) {
    const auto x = floats({2, 2, 2}, {1, 0, 2, 0, 3, 0, 5, 0});
    const auto y = floats({2, 2, 2}, {11, 0, -3, 0, -5, 0, 1, 0});
    expect_near(transformed(kDft, x, {0, 1}), y, 1e-6);
    expect_near(transformed(kIdft, y, {1, 0}), x, 1e-6);
    const auto real = floats({2, 2}, {1, 2, 3, 5});
    expect_near(transformed(kRdft, real, {0, 1}), y, 1e-6);
    expect_near(transformed(kIrdft, y, {0, 1}), real, 1e-6);
    EXPECT_EQ(transformed(kRdft, floats({0, 3}, {}), {1}).shape(), (Shape{0, 2, 2}));
}

}  // namespace
}  // namespace rondo::fourier_test
