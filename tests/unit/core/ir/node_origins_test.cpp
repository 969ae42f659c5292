// What nodes know of the layers that they are read from.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/graph/graph.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::ir::node_origins_test {
namespace {

using test::bytes_of;
using test::kFixture;
using test::read_text;
using test::replaced;

TEST(LayerOrigins, NodesKnowTheLayerThatTheyAreMadeFrom) {
    const auto graph = read_text(
        "<net name='g' version='11'><layers><layer id='0' name='x' type='Parameter' "
        "version='opset1'><data shape='2' element_type='f32'/><output><port id='0'/></output>"
        "</layer><layer id='1' name='c' type='Clamp' version='opset1'><data min='-1' max='2'/>"
        "<input><port id='0'/></input><output><port id='1'/></output></layer><layer id='2' "
        "name='y' type='Result' version='opset1'><input><port id='0'/></input></layer></layers>"
        "<edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>"
        "<edge from-layer='1' from-port='1' to-layer='2' to-port='0'/></edges></net>");
    for (const auto& node : graph->ordered_nodes()) {
        const bool is_part = node->name() != "x" && node->name() != "y";
        const std::string text = describe(*node);
        EXPECT_EQ(text.rfind("node 'c' (Clamp, as ", 0) == 0, is_part) << text;
        EXPECT_TRUE(node->origin()) << text;
    }
}

TEST(LayerOrigins, OnlyEntriesOfACacheSayWhatLayersAreMadeFrom) {
    const std::string fact =
        "<rt_info><attribute name=\"rondo_node_origin\" version=\"0\" "
        "value=\"node|LSTM|first\" /></rt_info>";
    const std::string layer = "type=\"LSTMSequence\" version=\"opset5\">";
    const auto graph = read_text(replaced(bytes_of(kFixture + ".xml"), layer, layer + fact));
    const auto nodes = graph->ordered_nodes();
    const auto lstm = std::find_if(nodes.begin(), nodes.end(), [](const NodePtr& node) {
        return node->type_name() == "LSTMSequence";
    });
    ASSERT_NE(lstm, nodes.end());
    EXPECT_EQ(describe(**lstm), "node 'first' (LSTM, as LSTMSequence 'lstm')");
    EXPECT_TRUE((*lstm)->rt_info().empty());
    const test::TemporaryFolder folder;
    write(*graph, folder.path() + "/m.xml");
    EXPECT_EQ(bytes_of(folder.path() + "/m.xml").find("rondo_node_origin"), std::string::npos);
}

}  // namespace
}  // namespace rondo::ir::node_origins_test
