// Random models in which some values are rolled and rolled back, along any axis: what they compute
// stays the same, on both devices.
#include <gtest/gtest.h>

#include <vector>

#include "core/graph/graph.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/rng.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::test::random_rolls_test {
namespace {

constexpr std::uint64_t kShards = 4;
constexpr std::uint64_t kModelsAShard = 20;
constexpr std::uint64_t kDailyModelsAShard = 5;

// Its readers get the value rolled there and back.
void roll(passes::Rewriter& rewriter, const Output& value, Rng& rng) {
    const Consumers readers = value.consumers();
    const auto rank = static_cast<std::int64_t>(value.shape().rank());
    const std::int64_t shift = uniform_int(rng, -9, 9);
    const Output axis = rewriter.make_ints("axis", {uniform_int(rng, -rank, rank - 1)});
    const Output there =
        rewriter.make<ops::Roll>("there", value, rewriter.make_ints("by", {shift}), axis);
    const Output back =
        rewriter.make<ops::Roll>("back", there, rewriter.make_ints("by", {-shift}), axis);
    for (const Consumer& reader : readers) reader.node->set_input(reader.input, back);
}

bool may_be_rolled(const Output& value) {
    return is_floating(value.element_type()) && value.shape().has_rank() &&
           value.shape().rank() > 0 && !passes::is_constant(value.node());
}

std::size_t roll_some(Graph& graph, Rng& rng) {
    std::size_t count = 0;
    for_each_graph(graph, [&](Graph& part) {
        passes::Rewriter rewriter(part);
        for (const NodePtr& node : part.ordered_nodes()) {
            for (std::size_t i = 0; i < node->output_count(); ++i) {
                const Output value = node->output(i);
                if (!may_be_rolled(value) || uniform(rng, 0, 1) < 0.6) continue;
                roll(rewriter, value, rng);
                ++count;
            }
        }
    });
    graph.validate();
    return count;
}

std::size_t check(std::uint64_t seed) {
    const RandomModel model = random_model(seed);
    const auto expected = run_model(model, "REFERENCE");
    std::size_t count = 0;
    for (const char* device : {"CPU", "REFERENCE"}) {
        Rng rng(seed);
        const auto change = [&](Graph& graph) { count += roll_some(graph, rng); };
        EXPECT_EQ(run_difference(model, run_model(model, device, {{}, {}, change}), expected), "")
            << device << ", seed " << seed << "\n  replay: RONDO_TEST_SEED=" << seed
            << " random_models_tests --gtest_filter=RandomRolls.OneSeed";
    }
    return count;
}

class RandomRolls : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomRolls, ChangeNothing) {
    std::size_t count = 0;
    for (std::uint64_t i = 0; i < kModelsAShard; ++i)
        count += check(GetParam() * kModelsAShard + i);
    EXPECT_GT(count, 100U) << "too few to mean anything";
}

TEST_P(RandomRolls, OfToday) {
    check_seeds(shard_of_today(GetParam(), kShards, kDailyModelsAShard), check);
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomRolls, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomRolls, OneSeed) { with_one_seed(check); }
TEST(RandomRolls, ManySeeds) { with_many_seeds(check); }

}  // namespace
}  // namespace rondo::test::random_rolls_test
