#include "core/runtime/properties/property_values.hpp"

#include <gtest/gtest.h>

#include "core/graph/infer_context.hpp"
#include "core/ops/source/source_ops.hpp"
#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::graph_limits_test {
namespace {

using test::expect_error;

std::size_t count_nodes(const Graph& graph) {
    std::size_t count = 0;
    for_each_graph(graph, [&](const Graph& part) { count += part.ordered_nodes().size(); });
    return count;
}

TEST(GraphLimits, NodesOfBodiesCount) {
    const auto graph = test::count_loop();
    ModelLimits limits;
    limits.nodes = count_nodes(*graph);
    EXPECT_GT(limits.nodes, graph->ordered_nodes().size());
    EXPECT_NO_THROW(check_limits(*graph, limits));
    --limits.nodes;
    expect_error<UnsupportedError>([&] { check_limits(*graph, limits); },
                                   "the model 'test' has " + std::to_string(limits.nodes + 1) +
                                       " nodes; the limit is " + std::to_string(limits.nodes) +
                                       " (property 'MAX_NODES')");
}

TEST(GraphLimits, BodiesHaveADepth) {
    const auto graph = test::count_loop();
    ModelLimits limits;
    limits.depth = 1;
    limits.loop_depth = 1;
    EXPECT_NO_THROW(check_limits(*graph, limits));
    limits.loop_depth = 0;
    expect_error<UnsupportedError>(
        [&] { check_limits(*graph, limits); },
        "loops are nested too deep; the limit is 0 (property 'MAX_LOOP_DEPTH')");
    limits.depth = 0;
    expect_error<UnsupportedError>(
        [&] { check_limits(*graph, limits); },
        "bodies are nested too deep; the limit is 0 (property 'MAX_DEPTH')");
}

TEST(GraphLimits, ConstantsAreTensors) {
    test::GraphBuilder b;
    b.output("y", b.constant(Tensor(ElementType::f32, {25}), "w"));
    const auto graph = b.graph();
    ModelLimits limits;
    limits.tensor_bytes = 100;
    EXPECT_NO_THROW(check_limits(*graph, limits));
    limits.tensor_bytes = 99;
    expect_error<ModelError>([&] { check_limits(*graph, limits); },
                             "node 'w' (Const): the constant has 100 bytes; the limit is 99 "
                             "(property 'MAX_TENSOR_BYTES')");
}

TEST(GraphLimits, LoopsAndFoldingLearnTheirs) {
    const auto graph = test::count_loop();
    ModelLimits limits;
    limits.iterations = 3;
    limits.folded_bytes = 1000;
    set_limits(*graph, limits);
    const auto& loop = test::find<ops::Loop>(*graph, "loop");
    EXPECT_NO_THROW(loop.check_iterations(3));
    expect_error<UnsupportedError>([&] { loop.check_iterations(4); },
                                   "node 'loop' (Loop): the body would run more than 3 times; the "
                                   "limit is 3 (property 'MAX_ITERATIONS')");
    EXPECT_EQ(graph->constants_limit(), ops::constant_bytes(*graph) + 1000);
    expect_error<UnsupportedError>(
        [&] { test::find<ops::Loop>(*graph->clone(), "loop").check_iterations(4); },
        "MAX_ITERATIONS");
}

TEST(GraphLimits, WithoutALimitThePassesChoose) {
    const auto graph = test::count_loop();
    set_limits(*graph, {});
    EXPECT_EQ(graph->constants_limit(), std::nullopt);
}

}  // namespace
}  // namespace rondo::graph_limits_test
