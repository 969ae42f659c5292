// 500 random whole models, 100 of which are others each day, every other one with bodies, and 260
// of shape arithmetic: after each pass that changes one of them it gives what it gave before and
// its loops have their limits, and a second run of the portable pipeline changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/graph/printer.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/runtime/transforms.hpp"
#include "plugins/cpu/passes/cpu_passes.hpp"
#include "rondo/core.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/evaluate_graph.hpp"

namespace rondo::test::random_passes_test {
namespace {

constexpr std::uint64_t kShards = 20;
constexpr std::uint64_t kModelsAShard = 20;
constexpr std::uint64_t kShapeModelsAShard = 8;
constexpr std::uint64_t kDailyModelsAShard = 5;

// What is lost by adding in another order. All other passes keep every bit.
constexpr double kTolerance = 1e-5;
constexpr std::array kMayReorder = {"loops_to_sequences", "steps_to_sequences", "cell_fusion",
                                    "fold_linear_layers", "fuse_normalisation"};

using Outputs = std::vector<std::vector<Tensor>>;  // of each run

// The name in front of a line that the pass manager prints, if that pass changed the graph.
std::string changing_pass(const std::string& line) {
    const auto end = line.find(": changed");
    return end == std::string::npos ? "" : line.substr(0, end);
}

// The outputs of a graph that may hold ops of the CPU device.
Outputs outputs_of(const Graph& graph, const RandomModel& model) {
    const auto copy = graph.clone();
    cpu::expand_all(*copy);
    Outputs outputs;
    for (const auto& run : model.inputs) {
        std::vector<Tensor> inputs;
        for (const auto& parameter : copy->parameters()) {
            const auto named = std::find_if(run.begin(), run.end(), [&](const auto& input) {
                return input.name == parameter->name();
            });
            if (named == run.end()) throw ModelError("no input '" + parameter->name() + "'");
            inputs.push_back(named->value);
        }
        outputs.push_back(evaluate_graph(*copy, inputs));
    }
    return outputs;
}

// The open extents of a loop that doesn't run are 0 until constants in its body decide them.
bool are_empty_alike(const Tensor& a, const Tensor& b) {
    return a.element_type() == b.element_type() && a.shape().size() == b.shape().size() &&
           a.size() == 0 && b.size() == 0;
}

std::string first_difference(const Outputs& actual, const Outputs& expected, double tolerance,
                             bool finds_extents) {
    for (std::size_t run = 0; run < expected.size(); ++run) {
        for (std::size_t i = 0; i < expected[run].size(); ++i) {
            if (finds_extents && are_empty_alike(actual[run][i], expected[run][i])) continue;
            const auto text = tensor_difference(actual[run][i], expected[run][i], tolerance);
            if (text.empty()) continue;
            return "run " + std::to_string(run) + ", output " + std::to_string(i) + " " + text;
        }
    }
    return {};
}

constexpr std::size_t kMostIterations = 123'456;  // no model comes near it

// The first loop, in bodies, too, that has lost the limit that all had; or nothing.
std::string lost_limit(const Graph& graph) {
    std::string lost;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            const auto* loop = as_op<ops::IteratedOp>(*node);
            if (loop == nullptr || loop->most_iterations() == kMostIterations) continue;
            lost = "'" + loop->name() + "' has lost its limit of iterations";
        }
    });
    return lost;
}

// Watches the passes that run on a model's graph.
class PassWatcher {
public:
    explicit PassWatcher(const RandomModel& model)
        : model_(model),
          graph_(Core().read_model(model.bytes.data(), model.bytes.size()).graph()),
          outputs_(outputs_of(*graph_, model)) {
        ModelLimits limits;
        limits.iterations = kMostIterations;
        set_limits(*graph_, limits);
    }

    // The first fault, or nothing.
    std::string check() {
        run_portable_passes(*graph_, watching());
        if (!fault_.empty()) return fault_;
        run_portable_passes(*graph_, refusing_changes());
        if (!fault_.empty()) return fault_;
        cpu::run_cpu_passes(*graph_, watching());
        return fault_;
    }

    int changes() const { return changes_; }

private:
    TransformOptions watching() {
        TransformOptions options;
        options.validate = true;
        options.print = [this](const std::string& line) { look_at(changing_pass(line)); };
        return options;
    }

    TransformOptions refusing_changes() {
        TransformOptions options;
        options.print = [this](const std::string& line) {
            const std::string pass = changing_pass(line);
            if (!pass.empty() && fault_.empty()) fault_ = "a second run of '" + pass + "' changes";
        };
        return options;
    }

    void look_at(const std::string& pass) {
        if (pass.empty() || !fault_.empty()) return;
        ++changes_;
        const bool reorders =
            std::find(kMayReorder.begin(), kMayReorder.end(), pass) != kMayReorder.end();
        Outputs outputs = outputs_of(*graph_, model_);
        const auto text = first_difference(outputs, outputs_, reorders ? kTolerance : 0,
                                           pass == "fold_constants");
        if (!text.empty()) fault_ = "after '" + pass + "': " + text + "\n" + to_text(*graph_);
        outputs_ = std::move(outputs);
        const auto lost = lost_limit(*graph_);
        if (!lost.empty() && fault_.empty()) fault_ = "after '" + pass + "': " + lost;
    }

    const RandomModel& model_;
    std::shared_ptr<Graph> graph_;
    Outputs outputs_;
    std::string fault_;
    int changes_ = 0;
};

// The number of changes.
int expect_same_numbers(const RandomModel& model, std::uint64_t seed, const std::string& test) {
    PassWatcher watcher(model);
    EXPECT_EQ(watcher.check(), "") << "seed " << seed << "\n  replay: RONDO_TEST_SEED=" << seed
                                   << " random_models_tests --gtest_filter=" << test;
    return watcher.changes();
}

int expect_same_of_any(std::uint64_t seed) {
    return expect_same_numbers(random_model(seed), seed, "RandomPasses.OneSeed");
}

int expect_same_of_shapes(std::uint64_t seed) {
    return expect_same_numbers(random_shape_model(seed), seed, "RandomPasses.OneSeedOfShapes");
}

// `count` models for each shard.
void expect_enough_changes(int (*check)(std::uint64_t seed), std::uint64_t shard,
                           std::uint64_t count) {
    int changes = 0;
    for (std::uint64_t k = 0; k < count; ++k) changes += check(shard * count + k);
    EXPECT_GT(changes, 2 * static_cast<int>(count))
        << "the models give the passes too little to do";
}

class RandomPasses : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPasses, KeepTheNumbers) {
    expect_enough_changes(expect_same_of_any, GetParam(), kModelsAShard);
}

TEST_P(RandomPasses, KeepTheNumbersOfShapes) {
    expect_enough_changes(expect_same_of_shapes, GetParam(), kShapeModelsAShard);
}

TEST_P(RandomPasses, OfToday) {
    check_seeds(shard_of_today(GetParam(), kShards, kDailyModelsAShard), expect_same_of_any);
}

TEST_P(RandomPasses, ShapesOfToday) {
    check_seeds(shard_of_today(GetParam(), kShards, kDailyModelsAShard), expect_same_of_shapes);
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomPasses, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomPasses, OneSeed) { with_one_seed(expect_same_of_any); }
TEST(RandomPasses, ManySeeds) { with_many_seeds(expect_same_of_any); }
TEST(RandomPasses, OneSeedOfShapes) { with_one_seed(expect_same_of_shapes); }
TEST(RandomPasses, ManySeedsOfShapes) { with_many_seeds(expect_same_of_shapes); }

}  // namespace
}  // namespace rondo::test::random_passes_test
