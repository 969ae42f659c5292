// Random whole models with parts that no output needs, and initializers that are listed twice: each
// is read as the model without them.
#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "rondo/core.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/random/spare_parts.hpp"

namespace rondo::test::random_spares_test {
namespace {

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kModelsAShard = 40;
constexpr std::uint64_t kDailyModelsAShard = 10;
constexpr std::uint64_t kRunEvery = 8;

std::shared_ptr<Graph> read(const std::string& bytes) {
    return Core().read_model(bytes.data(), bytes.size()).graph();
}

std::string outputs_difference(const RandomModel& model, const std::string& bytes) {
    RandomModel spared = model;
    spared.bytes = bytes;
    const auto actual = run_model(spared, "REFERENCE");
    const auto expected = run_model(model, "REFERENCE");
    for (std::size_t run = 0; run < expected.size(); ++run) {
        for (std::size_t i = 0; i < expected[run].size(); ++i) {
            const std::string text = bits_difference(actual[run][i], expected[run][i]);
            if (!text.empty()) return "output '" + model.outputs[i] + "' " + text;
        }
    }
    return {};
}

std::string difference(std::uint64_t seed) {
    const RandomModel model = random_model(seed);
    const std::string bytes = with_spare_parts(model.bytes, seed);
    try {
        if (!same_graph(*read(bytes), *read(model.bytes))) return "the graphs differ";
        return seed % kRunEvery == 0 ? outputs_difference(model, bytes) : "";
    } catch (const Error& error) {
        return error.what();
    }
}

void expect_the_same(std::uint64_t seed) {
    EXPECT_EQ(difference(seed), "") << "seed " << seed << "\n  replay: RONDO_TEST_SEED=" << seed
                                    << " random_models_tests --gtest_filter=RandomSpares.OneSeed";
}

class RandomSpares : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomSpares, ChangeNothing) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    check_seeds({first, first + kModelsAShard}, expect_the_same);
}

TEST_P(RandomSpares, OfToday) {
    check_seeds(shard_of_today(GetParam(), kShards, kDailyModelsAShard), expect_the_same);
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomSpares, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomSpares, OneSeed) { with_one_seed(expect_the_same); }
TEST(RandomSpares, ManySeeds) { with_many_seeds(expect_the_same); }

}  // namespace
}  // namespace rondo::test::random_spares_test
