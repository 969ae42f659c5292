#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/indexing/indexing_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::passes::scatter_to_concat_test {
namespace {

using namespace test;  // NOLINT: tests only

// data [1,4,2] with rows 1 and 2 of axis 1 replaced.
Output scatter(GraphBuilder& b, const std::vector<std::int64_t>& places) {
    const Output data = b.input("data", "[1,4,2]");
    const Output updates = b.input("updates", "[1,2,2]");
    const Output at = b.constant(tensor_of<std::int64_t>({1, 2, 2}, places));
    return b.make<ops::ScatterNDUpdate>("scatter", std::vector<Output>{data, at, updates},
                                        ops::ScatterReduction::none);
}

TEST(ScattersToParts, JoinsSlicesInsteadOfScattering) {
    GraphBuilder b;
    b.output("y", scatter(b, {0, 1, 0, 2}));
    const auto graph = b.graph();
    expect_rewritten(*graph, scatter_to_concat);
    EXPECT_EQ(count_nodes(*graph, "Concat"), 1U);
    EXPECT_EQ(count_nodes(*graph, "ScatterNDUpdate"), 0U);
}

TEST(ScattersToParts, LeavesPlacesThatAreNoRange) {
    for (const auto& places :
         {std::vector<std::int64_t>{0, 1, 0, 3}, {0, 2, 0, 1}, {0, 1, 0, 1}, {0, 3, 0, 4}}) {
        GraphBuilder b;
        b.output("y", scatter(b, places));
        expect_unchanged(*b.graph(), scatter_to_concat);
    }
}

}  // namespace
}  // namespace rondo::passes::scatter_to_concat_test
