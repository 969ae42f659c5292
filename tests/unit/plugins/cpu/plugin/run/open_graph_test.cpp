// Random graphs with data-dependent extents, run with several extents on one compiled model.
#include "tests/unit/plugins/cpu/plugin/run/open_graph.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/stateful_graphs.hpp"

namespace rondo::test::open_graph_test {
namespace {

void expect_all_near(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        SCOPED_TRACE("tensor " + std::to_string(i));
        ASSERT_EQ(actual[i].shape(), expected[i].shape());
        expect_near(actual[i], expected[i], 1e-4);
    }
}

// Each set of inputs twice in a row, and again after the others; more sets than plans are kept.
TEST(OpenGraphs, CpuEqualsReference) {
    auto rng = test_rng();
    for (int round = 0; round < 150 && !::testing::Test::HasFailure(); ++round) {
        SCOPED_TRACE(round);
        const int nodes = static_cast<int>(uniform_int(rng, 1, 25));
        const int variables = static_cast<int>(uniform_int(rng, 0, 2));
        const auto graph = OpenGraphMaker(rng, true).make(nodes, variables);
        auto reference = on_reference(*graph);
        auto device =
            on_cpu(*graph, {{property::kPerfCount, uniform_int(rng, 0, 1) == 0 ? "YES" : "NO"}});
        std::vector<std::vector<Tensor>> sets;
        for (std::int64_t i = uniform_int(rng, 2, 12); i > 0; --i) {
            sets.push_back(OpenGraphMaker::inputs(rng));
        }
        for (int pass = 0; pass < 2; ++pass) {
            for (const auto& inputs : sets) {
                for (int run = 0; run < 2; ++run) {
                    expect_all_near(device.run(inputs), reference.run(inputs));
                    expect_all_near(values_of(device), values_of(reference));
                }
            }
        }
    }
}

}  // namespace
}  // namespace rondo::test::open_graph_test
