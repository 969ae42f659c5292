// 300 random whole models, every other one with bodies: none has a state of its user's
// except what a loop carries, and one whose layers keep their states starts as it did before,
// and goes on in the same way on both devices. What is refused stays as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "rondo/core.hpp"
#include "tests/random/minimise/candidate.hpp"
#include "tests/random/minimise/iteration.hpp"
#include "tests/random/run_model.hpp"
#include "tests/random/seeds.hpp"
#include "tests/random/state_run.hpp"

namespace rondo::test::random_states_test {
namespace {

constexpr std::uint64_t kShards = 3;
constexpr std::uint64_t kModelsAShard = 100;

std::vector<Tensor> first_outputs(const Model& model, const RandomModel& random,
                                  const char* device) {
    auto request = Core().compile_model(model, device).create_infer_request();
    for (const auto& [name, value] : random.inputs[0]) request.set_tensor(name, value);
    request.infer();
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < model.outputs().size(); ++i) {
        outputs.push_back(request.get_output_tensor(i));
    }
    return outputs;
}

// Whether the model was changed.
bool expect_same_start(const RandomModel& random, const std::function<void(Model&)>& change) {
    const Model model = Core().read_model(random.bytes.data(), random.bytes.size());
    Model kept = model.clone();
    try {
        change(kept);
    } catch (const ModelError&) {
        EXPECT_EQ(kept.to_text(), model.to_text());
        return false;
    } catch (const UnsupportedError&) {
        EXPECT_EQ(kept.to_text(), model.to_text());
        return false;
    }
    if (kept.to_text() == model.to_text()) return false;
    for (const char* device : {"CPU", "REFERENCE"}) {
        const auto expected = first_outputs(model, random, device);
        const auto actual = first_outputs(kept, random, device);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(tensor_difference(actual[i], expected[i], 1e-5), "") << device;
        }
    }
    EXPECT_EQ(state_difference(random, kept), "");
    return true;
}

// Whether a Loop or a Scan starts with the input, and the output is what it ends with.
bool goes_round(const RandomModel& random, const std::string& input, const std::string& output) {
    const auto has = [](const auto& list, const std::string& name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    Candidate candidate(random);
    for (const auto& node : candidate.graph().node()) {
        if (is_iterated(node) && has(node.input(), input) && has(node.output(), output))
            return true;
    }
    return false;
}

void expect_states(std::uint64_t seed, int& changed) {
    SCOPED_TRACE("RONDO_TEST_SEED=" + std::to_string(seed));
    const RandomModel random = random_model(seed);
    const Model model = Core().read_model(random.bytes.data(), random.bytes.size());
    for (const auto& [input, output] : model.find_states().pairs) {
        EXPECT_TRUE(goes_round(random, input, output)) << input << " and " << output;
    }
    const bool hidden = expect_same_start(random, [](Model& kept) { kept.make_stateful(); });
    const bool low_latency =
        expect_same_start(random, [](Model& kept) { kept.apply_low_latency(false); });
    changed += (hidden ? 1 : 0) + (low_latency ? 1 : 0);
}

class RandomStates : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomStates, StartAsBefore) {
    int changed = 0;
    const std::uint64_t first = GetParam() * kModelsAShard;
    for (std::uint64_t seed = first; seed < first + kModelsAShard; ++seed) {
        expect_states(seed, changed);
    }
    EXPECT_GT(changed, 0);
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomStates, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomStates, OneSeed) {
    int changed = 0;
    with_one_seed([&](std::uint64_t seed) { expect_states(seed, changed); });
}

TEST(RandomStates, ManySeeds) {
    int changed = 0;
    with_many_seeds([&](std::uint64_t seed) { expect_states(seed, changed); });
}

}  // namespace
}  // namespace rondo::test::random_states_test
