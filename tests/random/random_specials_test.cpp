// Random whole models with a NaN, an infinity or -0 among the floats of their inputs: the CPU
// device lets them reach what REFERENCE lets them reach, through every kernel that passes make.
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <string>

#include "tests/random/minimise/failure_report.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/float_elements.hpp"
#include "tests/support/isa.hpp"
#include "tests/support/rng.hpp"

namespace rondo::test::random_specials_test {
namespace {

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kModelsAShard = 20;
constexpr std::uint64_t kDailyModelsAShard = 5;

// A copy with the value at a random place.
Tensor with_value(const Tensor& tensor, float value, Rng& rng) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    const auto last = static_cast<std::int64_t>(copy.size()) - 1;
    set_float(copy, static_cast<std::size_t>(uniform_int(rng, 0, last)), value);
    return copy;
}

// A value that docs/reliability.md makes a promise of: not where NaN and infinities of a
// transform's line are, nor the sign of a zero that Relu and scatters give.
float promised(float value, const RandomModel& model) {
    const auto has = [&](const char* op) { return model.bytes.find(op) != std::string::npos; };
    if (has("DFT") || has("STFT")) return 0;
    if (value == 0 && (has("Relu") || has("Scatter"))) return std::nanf("");
    return value;
}

// One input of each run has a special value, another one in each.
RandomModel with_specials(RandomModel model, std::uint64_t seed) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float values[] = {std::nanf(""), kInfinity, -kInfinity, -0.f};
    Rng rng(seed + 0x5bec1a1);
    for (std::size_t run = 0; run < model.inputs.size(); ++run) {
        std::vector<NamedTensor*> floats;
        for (NamedTensor& input : model.inputs[run]) {
            const bool has_any = input.value.size() > 0;
            if (has_any && is_floating(input.value.element_type())) floats.push_back(&input);
        }
        if (floats.empty()) continue;
        const auto last = static_cast<std::int64_t>(floats.size()) - 1;
        Tensor& input = floats[static_cast<std::size_t>(uniform_int(rng, 0, last))]->value;
        const float value = values[(seed + run) % std::size(values)];
        input = with_value(input, promised(value, model), rng);
    }
    return model;
}

void expect_agreement(std::uint64_t seed, FailureReport& report) {
    const IsaScope scope(isa_of(seed));
    const RandomModel model = with_specials(random_model(seed), seed);
    const std::string difference = device_difference(model);
    if (difference.empty()) return;
    ADD_FAILURE() << difference << "\nseed " << seed << "\n  replay: RONDO_TEST_SEED=" << seed
                  << " random_models_tests --gtest_filter=RandomSpecials.OneSeed"
                  << report.minimised(model, "special_" + std::to_string(seed));
}

// One report for all: it minimises the first two that fail.
SeedCheck agreement() {
    return [report = FailureReport(device_difference)](std::uint64_t seed) mutable {
        expect_agreement(seed, report);
    };
}

class RandomSpecials : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomSpecials, CpuAgreesWithReference) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    check_seeds({first, first + kModelsAShard}, agreement());
}

TEST_P(RandomSpecials, OfToday) {
    check_seeds(shard_of_today(GetParam(), kShards, kDailyModelsAShard), agreement());
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomSpecials, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomSpecials, OneSeed) { with_one_seed(agreement()); }
TEST(RandomSpecials, ManySeeds) { with_many_seeds(agreement()); }

}  // namespace
}  // namespace rondo::test::random_specials_test
