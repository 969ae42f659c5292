// 200 random whole models, written as ONNX as they are and simplified: what is read again gives the
// same outputs.
#include <gtest/gtest.h>

#include <optional>

#include "core/support/env.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/onnx.hpp"
#include "tests/random/run_model.hpp"

namespace rondo::test {
namespace {

constexpr int kShards = 10;
constexpr int kModelsAShard = 20;

// Nothing where ONNX can't say the model.
std::optional<std::string> written(const RandomModel& model, bool simplified) {
    const Core core;
    Model read = core.read_model(model.bytes.data(), model.bytes.size());
    if (simplified) core.transform(read);
    try {
        return onnx::to_bytes(*read.graph());
    } catch (const UnsupportedError& error) {
        EXPECT_EQ(std::string(error.what()).rfind("ONNX can't say ", 0), 0U) << error.what();
        return std::nullopt;
    }
}

// False where ONNX can't say the model.
bool expect_same_outputs(std::uint64_t seed, bool simplified) {
    const RandomModel model = random_model(seed);
    const auto bytes = written(model, simplified);
    if (!bytes) return false;
    RandomModel again = model;
    again.bytes = *bytes;
    EXPECT_EQ(run_difference(model, run_model(again, "REFERENCE"), run_model(model, "REFERENCE")),
              "")
        << "seed " << seed << (simplified ? ", simplified" : ", as it is")
        << "\n  replay: RONDO_TEST_SEED=" << seed
        << " random_models_tests --gtest_filter=WrittenModels.OneSeed";
    return true;
}

class WrittenModels : public ::testing::TestWithParam<int> {};

TEST_P(WrittenModels, GiveTheSameOutputs) {
    int refused = 0;
    for (int k = 0; k < kModelsAShard; ++k) {
        const auto seed = static_cast<std::uint64_t>(GetParam() * kModelsAShard + k);
        refused += expect_same_outputs(seed, k % 2 == 0) ? 0 : 1;
    }
    EXPECT_LE(refused, kModelsAShard / 4);
}

INSTANTIATE_TEST_SUITE_P(Shard, WrittenModels, ::testing::Range(0, kShards));

// What a failure of a shard says to run.
TEST(WrittenModels, OneSeed) {
    long long seed = 0;
    const auto text = env("RONDO_TEST_SEED");
    if (!text || !parse_int(*text, seed)) GTEST_SKIP() << "no RONDO_TEST_SEED";
    expect_same_outputs(static_cast<std::uint64_t>(seed), false);
    expect_same_outputs(static_cast<std::uint64_t>(seed), true);
}

// Many more, for a night: RONDO_TEST_SEEDS=first:count.
TEST(WrittenModels, ManySeeds) {
    const auto text = env("RONDO_TEST_SEEDS");
    if (!text) GTEST_SKIP() << "no RONDO_TEST_SEEDS";
    const auto colon = text->find(':');
    long long first = 0;
    long long count = 0;
    ASSERT_TRUE(colon != std::string::npos && parse_int(text->substr(0, colon), first) &&
                parse_int(text->substr(colon + 1), count));
    int refused = 0;
    for (long long seed = first; seed < first + count; ++seed) {
        for (const bool simplified : {false, true}) {
            const bool said = expect_same_outputs(static_cast<std::uint64_t>(seed), simplified);
            refused += said ? 0 : 1;
        }
    }
    EXPECT_LE(refused, count / 2);
}

}  // namespace
}  // namespace rondo::test
