// Tests a part of core/graph/printer.hpp.
#include "core/graph/printer.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::same_graph_test {
namespace {

// x [?,3] + number
std::shared_ptr<Graph> sum_with(float number, const std::string& x = "[?,3]") {
    GraphBuilder b;
    const Output constant = b.constant(scalar_of<float>(number));
    b.output("y", b.make<ops::Binary>("sum", ops::BinaryFunction::add, b.input("x", x), constant));
    return b.graph();
}

Node& sum_of(const Graph& graph) { return graph.results()[0]->input(0).node(); }

TEST(SameGraph, ComparesTextFactsAndElements) {
    const auto graph = sum_with(2);
    EXPECT_TRUE(same_graph(*graph, *graph->clone()));
    EXPECT_TRUE(same_graph(*graph, *sum_with(2)));
    EXPECT_FALSE(same_graph(*graph, *sum_with(3)));
    EXPECT_FALSE(same_graph(*graph, *sum_with(2, "[4,3]")));
    const auto other = graph->clone();
    other->rt_info()["of"] = "the whole model";
    EXPECT_TRUE(same_graph(*graph, *other));
    sum_of(*other).rt_info()["of"] = "a node";
    EXPECT_FALSE(same_graph(*graph, *other));
    const auto renamed = graph->clone();
    sum_of(*renamed).set_name("other");
    EXPECT_FALSE(same_graph(*graph, *renamed));
    const auto named = graph->clone();
    sum_of(*named).output(0).add_names({"another"});
    EXPECT_FALSE(same_graph(*graph, *named));
}

TEST(SameTensor, ComparesTypeShapeAndBytes) {
    const Tensor a = tensor_of<float>({2}, {0, 1});
    EXPECT_TRUE(same_tensor(a, tensor_of<float>({2}, {0, 1})));
    EXPECT_FALSE(same_tensor(a, tensor_of<float>({2}, {-0.0f, 1})));
    EXPECT_FALSE(same_tensor(a, tensor_of<float>({1, 2}, {0, 1})));
    EXPECT_FALSE(
        same_tensor(tensor_of<std::int32_t>({1}, {1}), tensor_of<std::uint32_t>({1}, {1})));
    EXPECT_TRUE(same_tensor(tensor_of<float>({0}, {}), tensor_of<float>({0}, {})));
    EXPECT_FALSE(same_tensor(a, Tensor()));
    EXPECT_TRUE(same_tensor(Tensor(), Tensor()));
}

}  // namespace
}  // namespace rondo::test::same_graph_test
