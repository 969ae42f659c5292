#include "core/ir/layer_table.hpp"

#include <gmock/gmock.h>

#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::layer_table_test {
namespace {

using test::expect_error;
using test::replaced;
using ::testing::ElementsAre;

// 10 -> 20 -> 30, and 40, which no layer needs. Ports have odd ids on purpose.
const std::string kChain = R"(<net><layers>
<layer id="30" name="r" type="result" version="opset1"><input><port id="0"/></input></layer>
<layer id="20" name="b" type="B" version="opset1">
  <input><port id="5"/><port id="3"/></input><output><port id="9"/><port id="7"/></output></layer>
<layer id="10" name="p" type="Parameter" version="opset1"><output><port id="0"/></output></layer>
<layer id="40" name="d" type="Dead" version="opset1"><input><port id="0"/></input></layer>
</layers><edges>
<edge from-layer="10" from-port="0" to-layer="20" to-port="3"/>
<edge from-layer="10" from-port="0" to-layer="20" to-port="5"/>
<edge from-layer="20" from-port="7" to-layer="30" to-port="0"/>
</edges></net>)";

std::vector<ir::Layer> layers_of(const std::string& text) {
    pugi::xml_document document;
    if (!document.load_string(text.c_str())) throw ModelError("the test's XML is damaged");
    auto layers = ir::read_layers(document.child("net"));
    for (auto& layer : layers) layer.xml = {};  // dies with the document
    return layers;
}

void expect_broken(const std::string& from, const std::string& to, const std::string& message) {
    expect_error<ModelError>([&] { ir::needed_layers(layers_of(replaced(kChain, from, to))); },
                             message);
}

TEST(LayerTable, PortsAreCountedInTheFilesOrder) {
    const auto layers = layers_of(kChain);
    ASSERT_EQ(layers.size(), 4u);
    EXPECT_EQ(ir::describe(layers[1]), "layer 20 'b' (B)");
    ASSERT_EQ(layers[1].inputs.size(), 2u);
    EXPECT_EQ(layers[1].inputs[1].layer, 2u);
    EXPECT_EQ(layers[0].inputs[0].layer, 1u);
    EXPECT_EQ(layers[0].inputs[0].output, 1u);
}

TEST(LayerTable, ProducersComeFirstAndDeadLayersNever) {
    EXPECT_THAT(ir::needed_layers(layers_of(kChain)), ElementsAre(2, 1, 0));
}

TEST(LayerTable, AnUnneededLayerMayLackEdges) {
    EXPECT_NO_THROW(ir::needed_layers(layers_of(kChain)));  // layer 40's input
}

TEST(LayerTable, LongChainsNeedNoDeepStack) {
    constexpr int kLength = 200000;
    std::string layers =
        "<layer id='0' name='p' type='Parameter' version='opset1'><output>"
        "<port id='0'/></output></layer>";
    std::string edges;
    for (int i = 1; i <= kLength; ++i) {
        const std::string id = std::to_string(i);
        layers += "<layer id='" + id + "' name='' type='" + (i == kLength ? "Result" : "A") +
                  "' version='opset1'><input><port id='0'/></input><output><port id='1'/>"
                  "</output></layer>";
        edges += "<edge from-layer='" + std::to_string(i - 1) + "' from-port='" +
                 (i == 1 ? "0" : "1") + "' to-layer='" + id + "' to-port='0'/>";
    }
    const auto table =
        layers_of("<net><layers>" + layers + "</layers><edges>" + edges + "</edges></net>");
    EXPECT_EQ(ir::needed_layers(table).size(), kLength + 1u);
}

TEST(LayerTable, RefusesDamagedLayers) {
    expect_broken("id=\"20\"", "id=\"30\"",
                  "layer 30 'b' (B): layer 30 'r' (result) has the same id");
    expect_broken(" id=\"20\"", "", "layer number 1 of the file: attribute 'id' is missing");
    expect_broken("id=\"20\"", "id=\"-2\"", "attribute 'id' is '-2'; expected a whole number");
    expect_broken("id=\"20\"", "id=\"2x\"", "attribute 'id' is '2x'");
    expect_broken("id=\"20\"", "id=\"99999999999999999999\"", "expected a whole number");
    expect_broken(" name=\"b\"", "", "attribute 'name' is missing");
    expect_broken(" type=\"B\"", "", "attribute 'type' is missing");
    expect_broken(" type=\"B\" version=\"opset1\"", " type=\"B\"",
                  "attribute 'version' is missing");
    expect_broken("port id=\"5\"", "port id=\"3\"", "layer 20 'b' (B): port 3 is there twice");
    expect_broken("port id=\"9\"", "port", "layer 20 'b' (B): attribute 'id' is missing");
}

TEST(LayerTable, RefusesDamagedEdges) {
    expect_broken("from-layer=\"20\"", "from-layer=\"21\"",
                  "edge 21:7 -> 30:0: there is no layer 21");
    expect_broken("to-layer=\"30\"", "to-layer=\"31\"", "there is no layer 31");
    expect_broken("from-port=\"7\"", "from-port=\"1\"",
                  "edge 20:1 -> 30:0: layer 20 'b' (B) has no output port 1");
    expect_broken("to-port=\"5\"", "to-port=\"6\"", "layer 20 'b' (B) has no input port 6");
    expect_broken("to-port=\"5\"", "to-port=\"3\"",
                  "layer 20 'b' (B) has two edges into its port 3");
    expect_broken("from-port=\"7\" ", "", "edge 20: -> 30:0: attribute 'from-port' is missing");
    expect_broken("to-port=\"5\"", "to-port=\"a b\"", "attribute 'to-port' is 'a b'");
}

TEST(LayerTable, RefusesAnInputWithoutAnEdge) {
    expect_broken("<edge from-layer=\"10\" from-port=\"0\" to-layer=\"20\" to-port=\"3\"/>", "",
                  "layer 20 'b' (B): input 1 has no edge");
}

TEST(LayerTable, RefusesACycle) {
    expect_broken("from-layer=\"10\" from-port=\"0\" to-layer=\"20\" to-port=\"3\"",
                  "from-layer=\"20\" from-port=\"9\" to-layer=\"20\" to-port=\"3\"",
                  "layer 20 'b' (B): the layer is part of a cycle");
}

}  // namespace
}  // namespace rondo::layer_table_test
