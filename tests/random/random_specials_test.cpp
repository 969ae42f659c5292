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
#include "tests/support/isa.hpp"
#include "tests/support/rng.hpp"

namespace rondo::test {
namespace {

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kModelsAShard = 20;
constexpr std::uint64_t kDailyModelsAShard = 5;

template <typename T>
void put(Tensor& tensor, std::size_t index, float value) {
    tensor.data<T>()[index] = T(value);
}

// A copy with the value at a random place.
Tensor with_value(const Tensor& tensor, float value, Rng& rng) {
    Tensor copy(tensor.element_type(), tensor.shape());
    tensor.copy_to(copy);
    const auto last = static_cast<std::int64_t>(copy.size()) - 1;
    const auto at = static_cast<std::size_t>(uniform_int(rng, 0, last));
    switch (copy.element_type()) {
        case ElementType::f64: put<double>(copy, at, value); break;
        case ElementType::f32: put<float>(copy, at, value); break;
        case ElementType::f16: put<float16>(copy, at, value); break;
        case ElementType::bf16: put<bfloat16>(copy, at, value); break;
        default: return tensor;
    }
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

void expect_agreement(std::uint64_t seed) {
    const IsaScope scope(isa_of(seed));
    FailureReport report(device_difference);
    const RandomModel model = with_specials(random_model(seed), seed);
    const std::string difference = device_difference(model);
    if (difference.empty()) return;
    ADD_FAILURE() << difference << "\nseed " << seed << "\n  replay: RONDO_TEST_SEED=" << seed
                  << " random_models_tests --gtest_filter=RandomSpecials.OneSeed"
                  << report.minimised(model, "special_" + std::to_string(seed));
}

class RandomSpecials : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomSpecials, CpuAgreesWithReference) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    for (std::uint64_t seed = first; seed < first + kModelsAShard; ++seed) expect_agreement(seed);
}

// RONDO_TEST_DAY runs those of another day.
TEST_P(RandomSpecials, OfToday) {
    const SeedRange today = seeds_of_day(test_day(), kShards * kDailyModelsAShard);
    const std::uint64_t first = today.first + GetParam() * kDailyModelsAShard;
    for (std::uint64_t seed = first; seed < first + kDailyModelsAShard; ++seed) {
        expect_agreement(seed);
    }
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomSpecials, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomSpecials, OneSeed) { with_one_seed(expect_agreement); }
TEST(RandomSpecials, ManySeeds) { with_many_seeds(expect_agreement); }

}  // namespace
}  // namespace rondo::test
