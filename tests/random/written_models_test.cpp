// 200 random whole models, written as ONNX as they are and simplified: what is read again gives the
// same outputs, and is the same with the constants in a file beside it.
#include <gtest/gtest.h>

#include <optional>

#include "core/graph/printer.hpp"
#include "frontend/onnx/onnx.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/files/temporary_folder.hpp"

namespace rondo::test::written_models_test {
namespace {

constexpr int kShards = 10;
constexpr int kModelsAShard = 20;

// With all constants in a file beside it, the model is the same.
void expect_same_beside(const Graph& graph, const std::string& bytes) {
    const TemporaryFolder folder;
    onnx::WriteLimits limits;
    limits.least_external = 1;
    onnx::write(graph, folder / "m.onnx", {ElementType::f32, true}, limits);
    EXPECT_TRUE(same_graph(*Core().read_model(folder / "m.onnx").graph(),
                           *Core().read_model(bytes.data(), bytes.size()).graph()));
}

// Empty if ONNX can't express the model.
std::optional<std::string> written(const RandomModel& model, bool simplified) {
    const Core core;
    Model read = core.read_model(model.bytes.data(), model.bytes.size());
    if (simplified) core.transform(read);
    try {
        const std::string bytes = onnx::to_bytes(*read.graph());
        expect_same_beside(*read.graph(), bytes);
        return bytes;
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

TEST(WrittenModels, OneSeed) {
    with_one_seed([](std::uint64_t seed) {
        expect_same_outputs(seed, false);
        expect_same_outputs(seed, true);
    });
}

TEST(WrittenModels, ManySeeds) {
    int written = 0;
    int refused = 0;
    with_many_seeds([&](std::uint64_t seed) {
        for (const bool simplified : {false, true}) {
            const bool given = expect_same_outputs(seed, simplified);
            written += given ? 1 : 0;
            refused += given ? 0 : 1;
        }
    });
    EXPECT_LE(3 * refused, written);
}

}  // namespace
}  // namespace rondo::test::written_models_test
