// 3,000 random recurrent nodes on both devices against a reference that shares no code with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "tests/conformance/random_node.hpp"
#include "tests/conformance/run_node.hpp"
#include "tests/support/isa.hpp"

namespace rondo::test::differential_test {
namespace {

constexpr int kShards = 30;
constexpr int kNodesAShard = 100;

// The largest error of each element type, as a share of what is allowed.
using Worst = std::map<std::string, double>;

void expect_onnx(std::uint64_t seed, Worst& worst) {
    const RecurrentNode node = random_node(seed);
    const ReferenceResult reference = onnx_reference(node);
    const std::string isa = isa_of(seed);
    const IsaScope scope(isa);
    double& largest = worst[std::string(to_string(node.type))];
    for (const char* device : {"CPU", "REFERENCE"}) {
        const Outcome outcome = run_node(node, reference, device);
        largest = std::max(largest, outcome.worst);
        EXPECT_EQ(outcome.verdict, Verdict::agrees)
            << "seed " << seed << " on " << device << " (" << isa << "): " << outcome.text << "\n  "
            << node.describe() << "\n  replay: RONDO_TEST_SEED=" << seed
            << " conformance_tests --gtest_filter=Differential.OneSeed";
    }
}

void print(const Worst& worst) {
    std::cout << "largest error, of what is allowed:";
    for (const auto& [type, share] : worst) std::cout << ' ' << type << ' ' << share;
    std::cout << '\n';
}

class Differential : public ::testing::TestWithParam<int> {};

TEST_P(Differential, DevicesFollowOnnx) {
    Worst worst;
    for (int k = 0; k < kNodesAShard; ++k) {
        expect_onnx(static_cast<std::uint64_t>(GetParam() * kNodesAShard + k), worst);
    }
    print(worst);
}

INSTANTIATE_TEST_SUITE_P(Shard, Differential, ::testing::Range(0, kShards));

// What a failure of a shard says to run.
TEST(Differential, OneSeed) {
    long long seed = 0;
    const auto text = env("RONDO_TEST_SEED");
    if (!text || !parse_int(*text, seed)) GTEST_SKIP() << "no RONDO_TEST_SEED";
    const auto chosen = static_cast<std::uint64_t>(seed);
    std::cout << random_node(chosen).describe() << '\n';
    Worst worst;
    expect_onnx(chosen, worst);
    print(worst);
}

}  // namespace
}  // namespace rondo::test::differential_test
