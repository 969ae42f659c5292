// Which nodes are taken together.
#include "bindings/onnxruntime/src/partition.hpp"

#include <gmock/gmock.h>

namespace rondo::test::onnxruntime_partition_test {
namespace {

using ort::HostGraph;
using ort::HostNode;
using ort::NodeList;
using testing::ElementsAre;
using testing::IsEmpty;

// A graph of nodes "op: input input -> output", whose values are tensors.
class GraphOf {
public:
    GraphOf& node(const std::string& op, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs) {
        HostNode node;
        node.op = op;
        node.inputs = inputs;
        node.outputs = outputs;
        for (const auto* names : {&inputs, &outputs}) {
            for (const auto& name : *names) graph_.values[name].type.is_tensor = true;
        }
        graph_.nodes.push_back(node);
        obstacles_.emplace_back(op[0] == '!' ? "unknown" : "");
        return *this;
    }
    std::vector<NodeList> groups() const { return find_groups(graph_, obstacles_); }
    HostGraph& graph() { return graph_; }

private:
    HostGraph graph_;
    std::vector<std::string> obstacles_;
};

TEST(OnnxruntimePartition, GrowsAroundLayers) {
    // Conv -> Relu -> Transpose -> LSTM -> MatMul -> Add -> Softmax
    GraphOf graph;
    graph.node("Conv", {"x"}, {"a"}).node("Relu", {"a"}, {"b"}).node("Transpose", {"b"}, {"c"});
    graph.node("LSTM", {"c"}, {"d"}).node("MatMul", {"d", "w"}, {"e"}).node("Add", {"e"}, {"f"});
    graph.node("Softmax", {"f"}, {"g"});
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre(1, 2, 3, 4, 5, 6)));
}

TEST(OnnxruntimePartition, TakesAnythingBetweenLayers) {
    GraphOf graph;
    graph.node("GRU", {"x"}, {"a"}).node("Conv", {"a"}, {"b"}).node("MatMul", {"b"}, {"c"});
    graph.node("GRU", {"c"}, {"d"}).node("Conv", {"d"}, {"e"});
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre(0, 1, 2, 3)));
}

TEST(OnnxruntimePartition, StaysConvex) {
    // The path through the unknown node leaves the group: LSTM -> ! -> Add, and LSTM -> Add.
    GraphOf graph;
    graph.node("LSTM", {"x"}, {"a"}).node("!", {"a"}, {"b"}).node("Add", {"a", "b"}, {"c"});
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre(0)));
}

TEST(OnnxruntimePartition, LetsNoTwoGroupsNeedEachOther) {
    // Two chains that cross by unknown nodes: each group alone is convex, both together aren't.
    GraphOf graph;
    graph.node("LSTM", {"x"}, {"a"}).node("GRU", {"y"}, {"b"});
    graph.node("!", {"a"}, {"c"}).node("!", {"b"}, {"d"});
    graph.node("Add", {"a", "d"}, {"e"}).node("Add", {"b", "c"}, {"f"});
    const auto groups = graph.groups();
    ASSERT_EQ(groups.size(), 2U);
    // One of the two additions joins its layer; the other one would close a circle.
    EXPECT_EQ(groups[0].size() + groups[1].size(), 3U);
}

TEST(OnnxruntimePartition, SeesALongWayAround) {
    GraphOf graph;
    graph.node("LSTM", {"x"}, {"a"}).node("!", {"a"}, {"b"});
    for (int i = 0; i < 50; ++i) {
        graph.node("!", {"b" + std::string(i, 'x')}, {"b" + std::string(i + 1, 'x')});
    }
    graph.node("Mul", {"a", "b" + std::string(50, 'x')}, {"c"});
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre(0)));
}

TEST(OnnxruntimePartition, IsEmptyWithoutALayer) {
    GraphOf graph;
    graph.node("MatMul", {"x"}, {"a"}).node("Tanh", {"a"}, {"b"});
    EXPECT_THAT(graph.groups(), IsEmpty());
    EXPECT_FALSE(has_seed(graph.graph()));
    GraphOf unknown;
    unknown.node("!LSTM", {"x"}, {"a"});
    EXPECT_THAT(unknown.groups(), IsEmpty());
}

TEST(OnnxruntimePartition, LeavesValuesThatAreNoTensors) {
    GraphOf graph;
    graph.node("LSTM", {"x"}, {"a"}).node("SequenceConstruct", {"a"}, {"list"});
    graph.graph().values["list"].type.is_tensor = false;
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre(0)));
}

TEST(OnnxruntimePartition, KnowsSeeds) {
    HostNode node;
    for (const auto* op : {"LSTM", "GRU", "RNN"}) {
        node.op = op;
        EXPECT_TRUE(is_seed(node)) << op;
    }
    node.domain = "com.microsoft";
    EXPECT_FALSE(is_seed(node));
    node.op = "DynamicQuantizeLSTM";
    EXPECT_TRUE(is_seed(node));

    HostNode loop;
    loop.op = "Loop";
    loop.bodies.push_back({"body", GraphOf().node("MatMul", {"x"}, {"a"}).graph()});
    EXPECT_FALSE(is_seed(loop));
    loop.bodies[0].graph =
        GraphOf().node("MatMul", {"x"}, {"a"}).node("Tanh", {"a"}, {"b"}).graph();
    EXPECT_TRUE(is_seed(loop));
    HostNode branch;
    branch.op = "If";
    branch.bodies = loop.bodies;
    EXPECT_FALSE(is_seed(branch));
    branch.bodies[0].graph.nodes.push_back(loop);
    EXPECT_TRUE(is_seed(branch));
}

}  // namespace
}  // namespace rondo::test::onnxruntime_partition_test
