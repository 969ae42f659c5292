// Random whole models, each compiled without one of the passes: what the others leave runs on the
// CPU device and gives what REFERENCE gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <span>

#include "core/runtime/variable_value.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/passes/cpu_passes.hpp"
#include "plugins/cpu/plugin/run/body_program.hpp"
#include "plugins/cpu/plugin/run/cpu_executor.hpp"
#include "rondo/core.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/support/isa.hpp"
#include "tests/support/rng.hpp"
#include "transformations/pass/pass_manager.hpp"
#include "transformations/pipelines.hpp"

namespace rondo::test::random_left_out_test {
namespace {

using passes::PassEntry;
using Outputs = std::vector<std::vector<Tensor>>;

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kModelsAShard = 20;
constexpr std::uint64_t kDailyModelsAShard = 5;

// Passes without which the device can't run what is left, and why.
const std::map<std::string, std::string>& needed() {
    static const std::map<std::string, std::string> reasons{};
    return reasons;
}

std::vector<std::string> optional_passes() {
    std::vector<std::string> names = passes::portable_pass_names();
    for (const PassEntry& pass : cpu::cpu_passes()) names.emplace_back(pass.name);
    names.erase(std::remove_if(names.begin(), names.end(),
                               [](const auto& name) { return needed().count(name) > 0; }),
                names.end());
    return names;
}

// A pass that both lists have is left out of both.
void run_without(Graph& graph, std::span<const PassEntry> all, const std::string& left_out) {
    std::vector<PassEntry> rest;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rest),
                 [&](const PassEntry& pass) { return left_out != pass.name; });
    TransformOptions options;
    options.validate = true;
    passes::run_passes(graph, rest, options);
}

std::unique_ptr<cpu::CpuExecutor> executor_without(const RandomModel& model,
                                                   const std::string& left_out) {
    const auto graph = Core().read_model(model.bytes.data(), model.bytes.size()).graph();
    run_without(*graph, passes::portable_passes(), left_out);
    run_without(*graph, cpu::cpu_passes(), left_out);
    cpu::RunSettings settings;
    settings.teams = cpu::shared_team_pool({1, {}, true});
    auto program = std::make_shared<cpu::PlannedProgram>(
        cpu::make_program(graph, cpu::compile_context({cpu::usable_isa()}, 1)), 1);
    return std::make_unique<cpu::CpuExecutor>(std::move(program), settings);
}

// All sizes in turn, twice, as run_model() does it.
Outputs outputs_without(const RandomModel& model, const std::string& left_out) {
    const auto parameters = Core().read_model(model.bytes.data(), model.bytes.size()).inputs();
    const auto executor = executor_without(model, left_out);
    const std::atomic<bool> cancelled{false};
    Outputs runs;
    for (std::size_t run = 0; run < 2 * model.inputs.size(); ++run) {
        std::vector<Tensor> inputs, outputs(model.outputs.size());
        for (const auto& parameter : parameters) {
            for (const auto& [name, value] : model.inputs[run % model.inputs.size()]) {
                if (name == parameter.any_name()) inputs.push_back(value);
            }
        }
        executor->run(inputs, outputs, cancelled);
        auto& copies = runs.emplace_back();
        for (const Tensor& output : outputs) copies.push_back(copy_of(output));
    }
    return runs;
}

std::string difference_without(const RandomModel& model, const std::string& left_out) {
    try {
        return run_difference(model, outputs_without(model, left_out),
                              run_model(model, "REFERENCE"));
    } catch (const Error& error) {
        return error.what();
    }
}

void expect_agreement(std::uint64_t seed) {
    const IsaScope scope(isa_of(seed));
    const std::vector<std::string> names = optional_passes();
    Rng rng(seed + 0x5eed);
    const auto last = static_cast<std::int64_t>(names.size()) - 1;
    const std::string& left_out = names[static_cast<std::size_t>(uniform_int(rng, 0, last))];
    EXPECT_EQ(difference_without(random_model(seed), left_out), "")
        << "without '" << left_out << "', seed " << seed << "\n  replay: RONDO_TEST_SEED=" << seed
        << " random_models_tests --gtest_filter=RandomLeftOut.OneSeed";
}

class RandomLeftOut : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomLeftOut, CpuAgreesWithReference) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    check_seeds({first, first + kModelsAShard}, expect_agreement);
}

TEST_P(RandomLeftOut, OfToday) {
    check_seeds(shard_of_today(GetParam(), kShards, kDailyModelsAShard), expect_agreement);
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomLeftOut, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomLeftOut, OneSeed) { with_one_seed(expect_agreement); }
TEST(RandomLeftOut, ManySeeds) { with_many_seeds(expect_agreement); }

}  // namespace
}  // namespace rondo::test::random_left_out_test
