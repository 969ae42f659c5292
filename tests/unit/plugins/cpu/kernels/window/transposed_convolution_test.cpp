#include "plugins/cpu/kernels/window/transposed_convolution.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "tests/support/rng.hpp"

namespace rondo::cpu::transposed_convolution_test {
namespace {

using test::uniform_int;
using Numbers = std::vector<std::int32_t>;

std::int64_t volume(const ConvolutionSizes& sizes, std::int64_t WindowAxis::*extent) {
    return sizes.axes[0].*extent * sizes.axes[1].*extent * sizes.axes[2].*extent;
}

ConvolutionSizes random_sizes(test::Rng& rng) {
    ConvolutionSizes sizes;
    sizes.batch = uniform_int(rng, 1, 2);
    sizes.groups = uniform_int(rng, 1, 3);
    sizes.channels = uniform_int(rng, 1, 3);
    sizes.filters = uniform_int(rng, 1, 3);
    for (std::size_t i = static_cast<std::size_t>(uniform_int(rng, 0, 2)); i < 3; ++i) {
        WindowAxis& axis = sizes.axes[i];
        axis.kernel = uniform_int(rng, 1, 5);
        axis.dilation = uniform_int(rng, 1, 4);
        axis.stride = uniform_int(rng, 1, 6);
        axis.pad_begin = uniform_int(rng, 0, 4);
        axis.input = uniform_int(rng, 1, 5);
        axis.output = uniform_int(rng, 1, 25);
    }
    return sizes;
}

// Index `i` of three extents.
std::array<std::int64_t, 3> index_of(std::int64_t i, const ConvolutionSizes& sizes,
                                     std::int64_t WindowAxis::*extent) {
    const std::int64_t y = sizes.axes[1].*extent, x = sizes.axes[2].*extent;
    return {i / (y * x), i / x % y, i % x};
}

// Each element of the data times each tap, added where it lands.
Numbers scattered(const ConvolutionSizes& sizes, const Numbers& data, const Numbers& filters) {
    const std::int64_t outputs = volume(sizes, &WindowAxis::output);
    const std::int64_t inputs = volume(sizes, &WindowAxis::input);
    const std::int64_t taps = volume(sizes, &WindowAxis::kernel);
    Numbers out(static_cast<std::size_t>(sizes.batch * sizes.groups * sizes.filters * outputs));
    for (std::size_t d = 0; d < data.size(); ++d) {
        const auto i = static_cast<std::int64_t>(d);
        const std::int64_t plane = i / inputs / sizes.channels;  // of the batch times groups
        const std::int64_t channel = i / inputs % (sizes.groups * sizes.channels);
        const auto input = index_of(i % inputs, sizes, &WindowAxis::input);
        for (std::int64_t f = 0; f < sizes.filters * taps; ++f) {
            const auto tap = index_of(f % taps, sizes, &WindowAxis::kernel);
            std::int64_t place = 0;
            bool lands = true;
            for (std::size_t k = 0; k < 3; ++k) {
                const WindowAxis& axis = sizes.axes[k];
                const std::int64_t at =
                    input[k] * axis.stride + tap[k] * axis.dilation - axis.pad_begin;
                lands = lands && at >= 0 && at < axis.output;
                place = place * axis.output + at;
            }
            if (!lands) continue;
            const std::int64_t to = (plane * sizes.filters + f / taps) * outputs + place;
            out[static_cast<std::size_t>(to)] +=
                data[d] * filters[static_cast<std::size_t>(channel * sizes.filters * taps + f)];
        }
    }
    return out;
}

Numbers numbers(test::Rng& rng, std::int64_t count) {
    Numbers result(static_cast<std::size_t>(count));
    for (auto& number : result) number = static_cast<std::int32_t>(uniform_int(rng, -99, 99));
    return result;
}

// Filters are put in order before, or by each run.
std::unique_ptr<Convolution> made_of(const ConvolutionSizes& sizes, const Numbers& filters,
                                     bool before, std::vector<Numbers>& kept) {
    std::vector<TransposedStep> steps;
    for (TransposedPart& part : transposed_parts(sizes)) {
        const ConvolutionSizes one = part.sizes(sizes);
        TransposedStep step;
        step.convolution = make_plain_convolution(ElementType::i32, one);
        if (before) {
            kept.emplace_back(static_cast<std::size_t>(one.groups * one.filters * one.channels *
                                                       volume(one, &WindowAxis::kernel)));
            put_transposed_filters(part, sizes, 4, filters.data(), kept.back().data());
            step.filters = kept.back().data();
        }
        step.part = std::move(part);
        steps.push_back(std::move(step));
    }
    return make_transposed_convolution(4, sizes, std::move(steps));
}

TEST(TransposedConvolution, AgreesWithScattering) {
    auto rng = test::test_rng();
    const auto team = make_team(3);
    for (int round = 0; round < 200; ++round) {
        const ConvolutionSizes sizes = random_sizes(rng);
        const Numbers data = numbers(
            rng, sizes.batch * sizes.groups * sizes.channels * volume(sizes, &WindowAxis::input));
        const Numbers filters = numbers(rng, sizes.groups * sizes.channels * sizes.filters *
                                                 volume(sizes, &WindowAxis::kernel));
        const Numbers expected = scattered(sizes, data, filters);
        for (const bool before : {false, true}) {
            std::vector<Numbers> kept;
            const auto convolution = made_of(sizes, filters, before, kept);
            Numbers out(expected.size(), -1);
            AlignedBytes scratch(convolution->scratch_bytes() + 1);
            convolution->run({data.data(), filters.data(), out.data(), scratch.data(), nullptr},
                             *team);
            ASSERT_EQ(out, expected);
        }
    }
}

// The two halves of a kernel of twice the stride are the filters of one convolution.
TEST(TransposedConvolution, PhasesOfEqualTapsAreOnePart) {
    ConvolutionSizes sizes;
    sizes.axes[2] = {10, 8, 44, 4, 1, 0};
    const auto parts = transposed_parts(sizes);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].phases(), 4);
    EXPECT_EQ(parts[0].sizes(sizes).filters, 4);
    EXPECT_EQ(parts[0].sizes(sizes).axes[2].kernel, 2);
}

}  // namespace
}  // namespace rondo::cpu::transposed_convolution_test
