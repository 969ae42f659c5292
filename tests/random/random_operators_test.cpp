// What 6,000 random models consist of: each operator that the ONNX frontend reads, except those
// that are here with a reason, and a number of nodes within the limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "frontend/onnx/ops/op_list.hpp"
#include "tests/random/minimise/candidate.hpp"
#include "tests/random/minimise/graph_parts.hpp"

namespace rondo::test::random_operators_test {
namespace {

using ::testing::IsEmpty;

constexpr std::uint64_t kSeeds = 6000;

// By the operator's name as full_name() has it.
const std::map<std::string, std::string>& not_drawn() {
    static const std::map<std::string, std::string> reasons{
        {"Scatter", "deprecated since opset 11, and the models are of opsets 17, 23 and 28"},
        {"Upsample", "deprecated since opset 10, and the models are of opsets 17, 23 and 28"},
        {"com.microsoft.DynamicQuantizeLSTM",
         "each device rounds states to bytes in its own way (onnx_operators.md)"},
        {"com.microsoft.GroupQueryAttention", "its caches are inputs that grow from run to run"},
        {"com.microsoft.QAttention", "rounds products of numbers that aren't exact to bytes"},
    };
    return reasons;
}

std::string full_name(std::string_view domain, std::string_view name) {
    return domain.empty() ? std::string(name) : std::string(domain) + "." + std::string(name);
}

TEST(RandomOperators, AllAreDrawn) {
    std::set<std::string> drawn;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        Candidate candidate(random_model(seed));
        for (const auto* graph : all_graphs(candidate)) {
            for (const auto& node : graph->node()) {
                drawn.insert(full_name(node.domain(), node.op_type()));
            }
        }
    }
    std::set<std::string> missing, needless;
    for (const auto& entry : onnx::op_list()) {
        const std::string name = full_name(entry.domain, entry.name);
        const bool has_reason = not_drawn().count(name) > 0;
        if (drawn.count(name) == 0 && !has_reason) missing.insert(name);
        if (drawn.count(name) > 0 && has_reason) needless.insert(name);
    }
    EXPECT_THAT(missing, IsEmpty()) << "needs a recipe, or a reason in not_drawn()";
    EXPECT_THAT(needless, IsEmpty()) << "is drawn: its reason is no longer true";
}

TEST(RandomOperators, ModelsAreOfTheSizeThatIsPromised) {
    for (std::uint64_t seed = 0; seed < kSeeds; seed += 5) {
        Candidate candidate(random_model(seed));
        const std::size_t count = count_nodes(candidate.graph());
        EXPECT_GE(count, kLeastNodes) << seed;
        EXPECT_LE(count, kMostNodes) << seed;
    }
}

// N, T or both, in the second run alone.
TEST(RandomOperators, AQuarterOfTheModelsHasAnEmptyRun) {
    int empty = 0;
    for (std::uint64_t seed = 0; seed < 160; ++seed) {
        const RandomModel model = random_model(seed);
        ASSERT_EQ(model.runs.size(), 3U);
        const auto is_empty = [](const Sizes& sizes) { return sizes.n == 0 || sizes.t == 0; };
        EXPECT_FALSE(is_empty(model.runs[0]) || is_empty(model.runs[2])) << seed;
        empty += is_empty(model.runs[1]) ? 1 : 0;
    }
    EXPECT_EQ(empty, 40);
}

}  // namespace
}  // namespace rondo::test::random_operators_test
