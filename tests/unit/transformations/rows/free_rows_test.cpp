#include "transformations/rows/free_rows.hpp"

#include <gtest/gtest.h>

#include "core/ops/indexing/scatter_nd_update.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"

namespace rondo::passes {
namespace {

using namespace test;  // NOLINT: tests only

Output mean(GraphBuilder& b, const Output& x, const std::vector<std::int64_t>& axes, bool keep) {
    return b.make<ops::Reduce>("mean", ops::ReduceFunction::mean, x, b.ints(axes), keep);
}

// x - mean(x) over all axes.
TEST(FreeRows, KeepsTheAxesOfAReductionToAScalar) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,4]");
    b.output("y", add(b, x, mean(b, x, {0, 1, 2}, false)));
    const auto graph = b.graph();
    expect_rewritten(*graph, free_rows);
    EXPECT_EQ(find<ops::Reduce>(*graph, "mean").output_shape(0), PartialShape::parse("1,1,1"));
}

TEST(FreeRows, LeavesReductionsWhoseRankIsSeen) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,4]");
    b.output("y", mean(b, x, {0, 1, 2}, false));
    expect_unchanged(*b.graph(), free_rows);
    GraphBuilder c;
    const Output z = c.input("x", "[1,3,4]");
    c.output("y", add(c, c.input("v", "[4]"), mean(c, z, {0, 1, 2}, false)));
    expect_unchanged(*c.graph(), free_rows);
    GraphBuilder d;
    const Output w = d.input("x", "[2,3,4]");
    d.output("y", add(d, w, mean(d, w, {0, 1, 2}, true)));
    expect_unchanged(*d.graph(), free_rows);
}

// data [1,4,2] with rows 1 and 2 of axis 1 replaced.
Output scatter(GraphBuilder& b, const std::vector<std::int64_t>& places) {
    const Output data = b.input("data", "[1,4,2]");
    const Output updates = b.input("updates", "[1,2,2]");
    const Output at = b.constant(tensor_of<std::int64_t>({1, 2, 2}, places));
    return b.make<ops::ScatterNDUpdate>("scatter", std::vector<Output>{data, at, updates},
                                        ops::ScatterReduction::none);
}

TEST(FreeRows, JoinsSlicesInsteadOfScattering) {
    GraphBuilder b;
    b.output("y", scatter(b, {0, 1, 0, 2}));
    const auto graph = b.graph();
    expect_rewritten(*graph, free_rows);
    EXPECT_EQ(count_nodes(*graph, "Concat"), 1U);
    EXPECT_EQ(count_nodes(*graph, "ScatterNDUpdate"), 0U);
}

TEST(FreeRows, LeavesPlacesThatAreNoRange) {
    for (const auto& places : {std::vector<std::int64_t>{0, 1, 0, 3}, {0, 2, 0, 1}, {0, 1, 0, 1}}) {
        GraphBuilder b;
        b.output("y", scatter(b, places));
        expect_unchanged(*b.graph(), free_rows);
    }
}

}  // namespace
}  // namespace rondo::passes
