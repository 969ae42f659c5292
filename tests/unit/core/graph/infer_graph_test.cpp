// Tests a part of core/graph/inference.hpp.
#include "core/graph/inference.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::infer_graph_test {
namespace {

using namespace test;  // NOLINT: tests only

InferInput of_shape(std::string_view shape) {
    return {ElementType::f32, PartialShape::parse(shape), {}};
}

TEST(InferGraph, FollowsWhatItIsGivenNotWhatTheNodesHold) {
    GraphBuilder builder;
    const Output x = builder.input("x", "2,3"), y = builder.input("y", "1,3");
    builder.output("z", add(builder, x, y));
    const auto graph = builder.graph();
    const std::string before = to_text(*graph);
    const std::vector<InferInput> inputs{of_shape("?,5"), of_shape("7,5")};
    const auto results = infer_graph(*graph, inputs);
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].shape, PartialShape::parse("7,5"));
    EXPECT_EQ(to_text(*graph), before);
}

// The ShapeOf knew another shape when the graph was made.
TEST(InferGraph, KnowsShapesAsTheyAreNow) {
    GraphBuilder builder;
    const Output x = builder.input("x", "2,3"), y = builder.input("y", "6");
    const Output shape = builder.make<ops::ShapeOf>("", x);
    builder.output("z", builder.make<ops::Reshape>("", y, shape, true));
    const auto graph = builder.graph();
    const std::vector<InferInput> wide{of_shape("4,5"), of_shape("20")};
    EXPECT_EQ(infer_graph(*graph, wide)[0].shape, PartialShape::parse("4,5"));
    const std::vector<InferInput> open{of_shape("?,5"), of_shape("20")};
    EXPECT_EQ(infer_graph(*graph, open)[0].shape, PartialShape::parse("?,?"));
}

TEST(InferGraph, NamesTheNodeThatDoesNotFit) {
    GraphBuilder builder;
    const Output x = builder.input("x", "2"), y = builder.input("y", "2");
    builder.output("z", add(builder, x, y));
    const auto graph = builder.graph();
    const std::vector<InferInput> inputs{of_shape("2"), of_shape("3")};
    expect_error<ModelError>([&] { infer_graph(*graph, inputs); }, "node 'node_1' (Add)");
}

}  // namespace
}  // namespace rondo::infer_graph_test
