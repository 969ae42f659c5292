#include "transformations/batching/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"

namespace rondo::passes::free_rows_test {
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

}  // namespace
}  // namespace rondo::passes::free_rows_test
