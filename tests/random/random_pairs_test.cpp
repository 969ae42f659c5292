// Random models on which each portable pass alone, each pair of them, and all of them in another
// order are run until nothing changes: which no two passes keep from happening by undoing each
// other's work.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/random/random_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/rng.hpp"
#include "transformations/pass/pass_manager.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/pipelines.hpp"

namespace rondo::test::random_pairs_test {
namespace {

using passes::PassEntry;
using Entries = std::vector<PassEntry>;

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kModelsAShard = 8;
constexpr std::uint64_t kDailyModelsAShard = 4;

// Those of even seeds compute shapes.
RandomModel model_of(std::uint64_t seed) {
    return seed % 2 == 0 ? random_shape_model(seed / 2) : random_model(seed / 2);
}

// All of them may be repeated here.
Entries repeated_passes() {
    Entries entries(passes::portable_passes().begin(), passes::portable_passes().end());
    for (PassEntry& entry : entries) entry.mode.until_fixed_point = true;
    return entries;
}

// Some Slices as files of OpenVINO have them; the ONNX frontend makes none of these.
bool make_strided(Graph& graph, Rng& rng) {
    passes::Rewriter rewriter(graph);
    rewriter.for_each<ops::Slice>([&](const auto& slice) {
        const auto requests = ops::slice_requests(context_of(*slice));
        if (!requests || uniform(rng, 0, 1) < 0.5) return;
        std::vector<std::int64_t> begin, end, step;
        for (const ops::SliceRequest& request : *requests) {
            if (!request.start || !request.stop || !request.step) return;
            begin.push_back(*request.start);
            end.push_back(*request.stop);
            step.push_back(*request.step);
        }
        const std::string& name = slice->name();
        const auto ints = [&](const auto& values) { return rewriter.make_ints(name, values); };
        ops::StridedSliceMasks masks;
        masks.begin.assign(begin.size(), 0);
        masks.end.assign(begin.size(), 0);
        rewriter.replace(slice->output(0),
                         rewriter.make<ops::StridedSlice>(name, slice->input(0), ints(begin),
                                                          ints(end), ints(step), masks));
    });
    return rewriter.changed();
}

// The model as some of the first passes leave it after one run each.
std::shared_ptr<Graph> started_graph(const RandomModel& model, Rng& rng) {
    const auto graph = Core().read_model(model.bytes.data(), model.bytes.size()).graph();
    if (uniform(rng, 0, 1) < 0.5) {
        const bool changed = make_strided(*graph, rng);
        if (changed) graph->validate();
    }
    Entries first = repeated_passes();
    first.resize(
        static_cast<std::size_t>(uniform_int(rng, 0, static_cast<std::int64_t>(first.size()))));
    for (PassEntry& entry : first) entry.mode.until_fixed_point = false;
    passes::run_passes(*graph, first, {});
    return graph;
}

// What run_passes() says if they don't settle, or break the graph.
std::string fault_of(const Graph& graph, const Entries& entries) {
    const auto copy = graph.clone();
    TransformOptions options;
    options.validate = true;
    try {
        passes::run_passes(*copy, entries, options);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string names_of(const Entries& entries) {
    std::string names;
    for (const PassEntry& entry : entries) names += std::string(" ") + entry.name;
    return names;
}

class Settling {
public:
    explicit Settling(std::uint64_t seed) : seed_(seed), rng_(seed + 0x9a125) {}

    /// The number of pairs that changed the model.
    int check() {
        const RandomModel model = model_of(seed_);
        const auto graph = started_graph(model, rng_);
        const Entries all = repeated_passes();
        // Two passes that change nothing come to rest together.
        std::vector<bool> changes;
        for (const PassEntry& entry : all) {
            changes.push_back(passes::run_passes(*graph->clone(), Entries{once(entry)}, {}));
            if (changes.back()) expect_rest(*graph, {entry});
        }
        int pairs = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = i + 1; j < all.size(); ++j) {
                if (!changes[i] && !changes[j]) continue;
                expect_rest(*graph, {all[i], all[j]});
                ++pairs;
            }
        }
        Entries shuffled = all;
        for (std::size_t i = shuffled.size() - 1; i > 0; --i) {
            std::swap(shuffled[i], shuffled[static_cast<std::size_t>(
                                       uniform_int(rng_, 0, static_cast<std::int64_t>(i)))]);
        }
        expect_rest(*graph, shuffled);
        return pairs;
    }

private:
    static PassEntry once(PassEntry entry) {
        entry.mode.until_fixed_point = false;
        return entry;
    }

    void expect_rest(const Graph& graph, const Entries& entries) const {
        EXPECT_EQ(fault_of(graph, entries), "")
            << "passes:" << names_of(entries) << "; seed " << seed_
            << "\n  replay: RONDO_TEST_SEED=" << seed_
            << " random_models_tests --gtest_filter=RandomPairs.OneSeed";
    }

    const std::uint64_t seed_;
    Rng rng_;
};

void expect_all_settle(std::uint64_t seed) { Settling(seed).check(); }

class RandomPairs : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPairs, Settle) {
    int pairs = 0;
    for (std::uint64_t k = 0; k < kModelsAShard; ++k) {
        pairs += Settling(GetParam() * kModelsAShard + k).check();
    }
    EXPECT_GT(pairs, 20 * static_cast<int>(kModelsAShard))
        << "the models give the passes too little to do";
}

TEST_P(RandomPairs, OfToday) {
    check_seeds(shard_of_today(GetParam(), kShards, kDailyModelsAShard), expect_all_settle);
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomPairs, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomPairs, OneSeed) { with_one_seed(expect_all_settle); }
TEST(RandomPairs, ManySeeds) { with_many_seeds(expect_all_settle); }

}  // namespace
}  // namespace rondo::test::random_pairs_test
