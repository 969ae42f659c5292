#include "plugins/cpu/kernels/window/convolution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "tests/support/rng.hpp"

namespace rondo::cpu::convolution_test {
namespace {

using test::uniform_int;

std::int64_t volume(const ConvolutionSizes& sizes, std::int64_t WindowAxis::*extent) {
    return sizes.axes[0].*extent * sizes.axes[1].*extent * sizes.axes[2].*extent;
}

ConvolutionSizes random_sizes(test::Rng& rng) {
    ConvolutionSizes sizes;
    sizes.batch = uniform_int(rng, 1, 3);
    sizes.channels = uniform_int(rng, 1, 4);
    sizes.groups = uniform_int(rng, 1, 3);
    sizes.filters = uniform_int(rng, 1, 40);
    const auto first = static_cast<std::size_t>(uniform_int(rng, 0, 2));
    for (std::size_t i = first; i < 3; ++i) {
        WindowAxis& axis = sizes.axes[i];
        axis.kernel = uniform_int(rng, 1, 3);
        axis.dilation = uniform_int(rng, 1, 2);
        axis.stride = uniform_int(rng, 1, 3);
        axis.pad_begin = uniform_int(rng, 0, 4);
        axis.input = uniform_int(rng, 1, i == 2 ? 30 : 5);
        const std::int64_t reach = (axis.kernel - 1) * axis.dilation + 1;
        const std::int64_t padded = axis.input + axis.pad_begin + uniform_int(rng, 0, 3);
        axis.output = padded < reach ? 1 : (padded - reach) / axis.stride + 1;
    }
    return sizes;
}

// Sums in `Sum`, tap after tap.
template <typename Sum, typename T>
std::vector<Sum> expected(const ConvolutionSizes& sizes, const std::vector<T>& data,
                          const std::vector<T>& filters) {
    std::vector<Sum> out;
    const auto &z = sizes.axes[0], &y = sizes.axes[1], &x = sizes.axes[2];
    const std::int64_t positions = volume(sizes, &WindowAxis::output);
    const std::int64_t taps = volume(sizes, &WindowAxis::kernel);
    const std::int64_t filter_count = sizes.groups * sizes.filters;
    for (std::int64_t i = 0; i < sizes.batch * filter_count * positions; ++i) {
        const std::int64_t n = i / positions / sizes.filters;  // of the batch times groups
        const std::int64_t o = i / positions % filter_count;
        const std::int64_t p = i % positions;
        Sum sum = 0;
        for (std::int64_t k = 0; k < sizes.channels * taps; ++k) {
            const std::int64_t c = k / taps;
            const std::int64_t at_z = p / (y.output * x.output) * z.stride - z.pad_begin +
                                      k % taps / (y.kernel * x.kernel) * z.dilation;
            const std::int64_t at_y = p / x.output % y.output * y.stride - y.pad_begin +
                                      k / x.kernel % y.kernel * y.dilation;
            const std::int64_t at_x =
                p % x.output * x.stride - x.pad_begin + k % x.kernel * x.dilation;
            const bool inside = at_z >= 0 && at_z < z.input && at_y >= 0 && at_y < y.input &&
                                at_x >= 0 && at_x < x.input;
            if (!inside) continue;
            const std::int64_t from =
                (((n * sizes.channels + c) * z.input + at_z) * y.input + at_y) * x.input + at_x;
            sum +=
                static_cast<Sum>(data[static_cast<std::size_t>(from)]) *
                static_cast<Sum>(filters[static_cast<std::size_t>(o * sizes.channels * taps + k)]);
        }
        out.push_back(sum);
    }
    return out;
}

template <typename T>
std::vector<T> numbers(test::Rng& rng, std::int64_t count) {
    std::vector<T> result(static_cast<std::size_t>(count));
    for (T& number : result) {
        number = std::is_integral_v<T> ? static_cast<T>(rng())
                                       : static_cast<T>(test::uniform(rng, -1, 1));
    }
    return result;
}

template <typename T>
struct Case {
    explicit Case(test::Rng& rng) : Case(rng, random_sizes(rng)) {}
    Case(test::Rng& rng, const ConvolutionSizes& of)
        : sizes(of),
          data(numbers<T>(rng, sizes.batch * sizes.groups * sizes.channels *
                                   volume(sizes, &WindowAxis::input))),
          filters(numbers<T>(rng, sizes.groups * sizes.filters * sizes.channels *
                                      volume(sizes, &WindowAxis::kernel))) {}

    // With `negate`, each element is negated when it is done.
    std::vector<T> run(const Convolution& convolution, Team& team, bool negate = false) const {
        std::vector<T> out(static_cast<std::size_t>(sizes.batch * sizes.groups * sizes.filters *
                                                    volume(sizes, &WindowAxis::output)));
        AlignedBytes scratch(convolution.scratch_bytes() + 1);
        const auto turn = [&](Range range) {
            for (std::int64_t i = range.begin; i < range.end; ++i) {
                out[static_cast<std::size_t>(i)] *= -1;
            }
        };
        const FunctionRef<void(Range)> done(turn);
        convolution.run(
            {data.data(), filters.data(), out.data(), scratch.data(), negate ? &done : nullptr},
            team);
        return out;
    }

    ConvolutionSizes sizes;
    std::vector<T> data;
    std::vector<T> filters;
};

template <typename T>
void expect_near(const std::vector<T>& actual, const std::vector<double>& sums) {
    ASSERT_EQ(actual.size(), sums.size());
    const double tolerance = sizeof(T) == 8 ? 1e-13 : 1e-4;
    for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_NEAR(actual[i], sums[i], tolerance);
}

template <typename T>
void check_floats(Isa isa) {
    auto rng = test::test_rng();
    const auto team = make_team(3);
    SerialTeam alone;
    const auto kernel = make_gemm_kernel(isa, element_type_of<T>());
    for (int round = 0; round < 40; ++round) {
        const Case<T> one(rng);
        const auto sums = expected<double>(one.sizes, one.data, one.filters);
        const auto positions = one.run(*make_position_lanes(*kernel, one.sizes, 3), *team);
        expect_near(positions, sums);
        const std::int64_t window = one.sizes.channels * volume(one.sizes, &WindowAxis::kernel);
        std::vector<PackedMatrix> packed;
        std::vector<PackedView> views;
        for (std::int64_t group = 0; group < one.sizes.groups; ++group) {
            const T* own = one.filters.data() + group * one.sizes.filters * window;
            packed.push_back(kernel->pack(transposed(own, window, one.sizes.filters)));
            views.push_back(packed.back().view);
        }
        const auto lanes = make_filter_lanes(*kernel, views, one.sizes, 3);
        EXPECT_EQ(one.run(*lanes, *team), positions);
        std::vector<T> negative = positions;
        for (T& sum : negative) sum *= -1;
        EXPECT_EQ(one.run(*lanes, *team, true), negative);
        EXPECT_EQ(one.run(*make_position_lanes(*kernel, one.sizes, 3), *team, true), negative);
        EXPECT_EQ(one.run(*make_position_lanes(*kernel, one.sizes, 1), alone), positions);
    }
}

// The same bits as the product, whatever the filters are.
template <typename T>
void check_taps(Isa isa) {
    auto rng = test::test_rng();
    const auto team = make_team(3);
    const Precision precision = precision_of(element_type_of<T>());
    const auto gemm = make_gemm_kernel(isa, element_type_of<T>());
    const auto weighted = choose_tap_kernel(isa).make({TapFunction::weighted_sum, precision});
    for (int round = 0; round < 60; ++round) {
        ConvolutionSizes sizes = random_sizes(rng);
        sizes.filters = uniform_int(rng, 1, 4);
        if (round % 10 == 9) sizes.axes[2].input = 4000;  // several tiles
        const std::int64_t span = sizes.axes[2].input + sizes.axes[2].pad_begin;
        const std::int64_t reach = (sizes.axes[2].kernel - 1) * sizes.axes[2].dilation + 1;
        sizes.axes[2].output = span < reach ? 1 : (span - reach) / sizes.axes[2].stride + 1;
        ASSERT_TRUE(suits_taps(sizes));
        const Case<T> one(rng, sizes);
        const auto expected_bits = one.run(*make_position_lanes(*gemm, sizes, 3), *team);
        std::vector<T> negative = expected_bits;
        for (T& sum : negative) sum *= -1;
        const auto taps = make_tap_convolution(*weighted, precision, sizes, 3);
        EXPECT_EQ(one.run(*taps, *team), expected_bits);
        EXPECT_EQ(one.run(*taps, *team, true), negative);
    }
}

template <typename T>
void check_channel_lanes(Isa isa) {
    auto rng = test::test_rng();
    const auto team = make_team(3);
    const Precision precision = precision_of(element_type_of<T>());
    const auto gemm = make_gemm_kernel(isa, element_type_of<T>());
    const auto product = choose_tap_kernel(isa).make({TapFunction::product_sum, precision});
    for (int round = 0; round < 40; ++round) {
        ConvolutionSizes sizes = random_sizes(rng);
        sizes.groups = round % 8 == 7 ? 500 : uniform_int(rng, 8, 70);  // shared by threads
        sizes.channels = sizes.filters = 1;
        sizes.axes[2].output = std::min<std::int64_t>(sizes.axes[2].output, 16);
        ASSERT_TRUE(suits_channel_lanes(sizes));
        if (round == 39) sizes.axes[0] = {2000, 2, 1999, 1, 1, 0};  // several parts
        const Case<T> one(rng, sizes);
        const auto expected_bits = one.run(*make_position_lanes(*gemm, sizes, 3), *team);
        std::vector<T> negative = expected_bits;
        for (T& sum : negative) sum *= -1;
        std::vector<T> lines(one.filters.size());
        put_tap_lines(one.filters.data(), sizes, lines.data());
        for (const T* known : {lines.data(), static_cast<T*>(nullptr)}) {
            const auto lanes = make_channel_lanes(*product, precision, known, sizes, 3);
            EXPECT_EQ(one.run(*lanes, *team), expected_bits);
            EXPECT_EQ(one.run(*lanes, *team, true), negative);
        }
    }
}

TEST(Convolution, TapByTapGivesTheSameBits) {
    for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
        if (isa > cpu_features().best()) continue;
        check_taps<float>(isa);
        check_taps<double>(isa);
        check_channel_lanes<float>(isa);
        check_channel_lanes<double>(isa);
    }
}

// Copies of the data would be too large, or there are too many taps.
TEST(Convolution, HugeWindowsSuitNoTaps) {
    ConvolutionSizes sizes;
    EXPECT_TRUE(suits_taps(sizes));
    sizes.axes[2] = {std::int64_t{1} << 40, 3, 1 << 20, 1, (std::int64_t{1} << 31) - 1, 0};
    EXPECT_FALSE(suits_taps(sizes));
    sizes.axes[2] = {1 << 20, 1 << 19, 1 << 19, 1, 1, 0};
    EXPECT_FALSE(suits_taps(sizes));
    sizes.axes[2] = {};
    sizes.filters = 5;
    EXPECT_FALSE(suits_taps(sizes));
    sizes.filters = 1;
    EXPECT_FALSE(suits_channel_lanes(sizes));
    sizes.groups = 64;
    EXPECT_TRUE(suits_channel_lanes(sizes));
    sizes.axes[2].kernel = std::int64_t{1} << 40;
    EXPECT_FALSE(suits_channel_lanes(sizes));
    sizes.axes[2] = {17, 1, 17, 1, 1, 0};
    EXPECT_FALSE(suits_channel_lanes(sizes));
    sizes.axes[2] = {1 << 19, 1, 1, 1 << 18, 1, 0};  // an image too large to be turned
    EXPECT_FALSE(suits_channel_lanes(sizes));
}

TEST(Convolution, BothFormsGiveTheSumsToTheSameBit) {
    for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
        if (isa > cpu_features().best()) continue;
        check_floats<float>(isa);
        check_floats<double>(isa);
    }
}

TEST(Convolution, IntegersWrap) {
    const auto team = make_team(3);
    for (const ElementType type :
         {ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8, ElementType::u64,
          ElementType::u32, ElementType::u16, ElementType::u8}) {
        visit_integer(type, [&](auto tag) {
            using T = tag_type<decltype(tag)>;
            auto rng = test::test_rng();
            for (int round = 0; round < 20; ++round) {
                const Case<T> one(rng);
                std::vector<T> sums;
                for (const auto word : expected<std::uint64_t>(one.sizes, one.data, one.filters)) {
                    sums.push_back(static_cast<T>(word));
                }
                EXPECT_EQ(one.run(*make_plain_convolution(type, one.sizes), *team), sums);
            }
        });
    }
}

TEST(Convolution, NothingIsMultipliedByThePadding) {
    const auto team = make_team(3);
    const auto gemm = make_gemm_kernel(Isa::plain, ElementType::f32);
    auto rng = test::test_rng();
    for (int round = 0; round < 60; ++round) {
        Case<float> one(rng);
        for (const float special : {std::nanf(""), HUGE_VALF, -HUGE_VALF}) {
            const auto last = static_cast<std::int64_t>(one.filters.size()) - 1;
            one.filters[static_cast<std::size_t>(uniform_int(rng, 0, last))] = special;
        }
        const auto sums = expected<double>(one.sizes, one.data, one.filters);
        const auto convolution = make_padded_convolution(make_position_lanes(*gemm, one.sizes, 3),
                                                         Precision::f32, one.sizes);
        const auto out = one.run(*convolution, *team, true);
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (std::isnan(sums[i])) {
                EXPECT_TRUE(std::isnan(out[i]));
            } else if (std::isinf(sums[i])) {
                EXPECT_EQ(static_cast<double>(-out[i]), sums[i]);
            } else {
                EXPECT_NEAR(static_cast<double>(-out[i]), sums[i], 1e-5);
            }
        }
    }
}

TEST(Convolution, FindsWhatIsNotFinite) {
    std::vector<float> floats(37, std::numeric_limits<float>::max());
    std::vector<double> doubles(37, -std::numeric_limits<double>::max());
    EXPECT_TRUE(are_finite(floats.data(), 37, Precision::f32));
    EXPECT_TRUE(are_finite(doubles.data(), 37, Precision::f64));
    for (const float special : {std::nanf(""), -std::nanf(""), HUGE_VALF, -HUGE_VALF}) {
        for (const std::size_t at : {std::size_t{0}, std::size_t{20}, std::size_t{36}}) {
            auto some = floats;
            auto others = doubles;
            some[at] = special;
            others[at] = static_cast<double>(special);
            EXPECT_FALSE(are_finite(some.data(), 37, Precision::f32));
            EXPECT_FALSE(are_finite(others.data(), 37, Precision::f64));
        }
    }
}

TEST(Convolution, KnowsWhetherWindowsMeetThePadding) {
    ConvolutionSizes sizes;
    sizes.axes[1] = {9, 3, 7, 1, 1, 0};
    EXPECT_FALSE(meets_padding(sizes));
    sizes.axes[1] = {9, 3, 4, 2, 1, 0};
    EXPECT_FALSE(meets_padding(sizes));
    sizes.axes[1] = {9, 3, 8, 1, 1, 0};
    EXPECT_TRUE(meets_padding(sizes));
    sizes.axes[1] = {9, 1, 9, 1, 1, 1};
    EXPECT_TRUE(meets_padding(sizes));
}

TEST(Convolution, FewPositionsSuitFiltersOnTheLanes) {
    EXPECT_TRUE(suits_filter_lanes(64, 1, 16));
    EXPECT_TRUE(suits_filter_lanes(64, 8, 16));
    EXPECT_FALSE(suits_filter_lanes(64, 16, 16));
    EXPECT_FALSE(suits_filter_lanes(1, 8, 16));
}

}  // namespace
}  // namespace rondo::cpu::convolution_test
