// Random whole models whose recurrent layers have fewer bits, or blocks of zeros: every instruction
// set gives the bits of the plain kernels, each plan does so twice, and REFERENCE, which rounds no
// rows, is near.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/isa.hpp"

namespace rondo::test::random_formats_test {
namespace {

using Runs = std::vector<std::vector<Tensor>>;

constexpr const char* kFormats[] = {"w8r16", "w8r8", "w16r16", "bf16", "f32"};

constexpr std::uint64_t kShards = 4;
constexpr std::uint64_t kModelsAShard = 30;

std::string format_of(std::uint64_t seed) { return kFormats[seed / 2 % std::size(kFormats)]; }

// How far rounding may take an output.
double tolerance_of(const std::string& format) {
    if (format == "f32") return 2e-4;
    return format == "w8r16" || format == "w16r16" ? 1e-2 : 0.25;
}

Numbers numbers_of(const std::string& format) {
    if (format == "f32") return {};
    if (format == "bf16") return {{}, {{property::kInferencePrecisionHint, "bf16"}}};
    // All layers, however small.
    return {QuantizationOptions{format, {}, 0, 1}, {}};
}

// The first output that isn't within the tolerance, or with none, of other bits.
std::string difference(const RandomModel& model, const Runs& got, const Runs& expected,
                       double tolerance) {
    for (std::size_t run = 0; run < expected.size(); ++run) {
        for (std::size_t i = 0; i < model.outputs.size(); ++i) {
            const std::string text =
                tolerance == 0 ? bits_difference(got[run][i], expected[run][i])
                               : tensor_difference(got[run][i], expected[run][i], tolerance);
            if (text.empty()) continue;
            return "run " + std::to_string(run) + ", output '" + model.outputs[i] + "' " + text;
        }
    }
    return {};
}

void expect_agreement(std::uint64_t seed) {
    SCOPED_TRACE("replay: RONDO_TEST_SEED=" + std::to_string(seed) +
                 " random_models_tests --gtest_filter=RandomFormats.OneSeed");
    const std::string format = format_of(seed);
    const RandomModel model = random_layer_model(seed);
    Numbers numbers = numbers_of(format);
    Runs plain;
    auto sets = instruction_sets();
    std::reverse(sets.begin(), sets.end());
    for (const std::string& isa : sets) {
        const IsaScope scope(isa);
        Runs got = run_model(model, "CPU", numbers);
        if (plain.empty()) plain = std::move(got);
        if (got.empty()) continue;
        ASSERT_EQ(difference(model, got, plain, 0), "") << isa;
    }
    const Runs once(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(plain.size() / 2));
    const Runs again(plain.begin() + static_cast<std::ptrdiff_t>(plain.size() / 2), plain.end());
    ASSERT_EQ(difference(model, again, once, 0), "");
    numbers.properties.clear();
    const Runs reference = run_model(model, "REFERENCE", numbers);
    ASSERT_EQ(difference(model, plain, reference, tolerance_of(format)), "");
}

// Layers of a model that integers are found for.
std::size_t layers_of(std::uint64_t seed) {
    const RandomModel model = random_layer_model(seed);
    Model read = Core().read_model(model.bytes.data(), model.bytes.size());
    const auto layers = read.quantize({"w8r8", {}, 0, 1});
    return static_cast<std::size_t>(std::ranges::count_if(
        layers, [](const LayerQuantization& layer) { return layer.kept.empty(); }));
}

class RandomFormats : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomFormats, GiveTheSameBitsEverywhere) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    std::size_t layers = 0;
    check_seeds({first, first + kModelsAShard}, [&](std::uint64_t seed) {
        expect_agreement(seed);
        layers += layers_of(seed);
    });
    EXPECT_GE(layers, kModelsAShard);
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomFormats, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomFormats, OneSeed) { with_one_seed(expect_agreement); }

TEST(RandomFormats, ManySeeds) { with_many_seeds(expect_agreement); }

}  // namespace
}  // namespace rondo::test::random_formats_test
