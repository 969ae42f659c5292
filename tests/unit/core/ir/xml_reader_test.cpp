#include <cstring>

#include "core/graph/inference.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "tests/support/rng.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::xml_reader_test {
namespace {

using test::bytes_of;
using test::expect_error;
using test::kFixture;
using test::read_text;
using test::replaced;

std::string fixture() { return bytes_of(kFixture + ".xml"); }

// The fixture with one thing changed is refused.
template <typename Kind = ModelError>
void expect_broken(const std::string& from, const std::string& to, const std::string& message) {
    SCOPED_TRACE("the fixture with " + to);
    expect_error<Kind>([&] { read_text(replaced(fixture(), from, to)); }, message);
}

bool can_read(const std::string& text) {
    ModelSource source;
    source.data = reinterpret_cast<const std::byte*>(text.data());
    source.size = text.size();
    return ir::can_read(source);
}

NodePtr find(const Graph& graph, const std::string& name) {
    for (const auto& node : graph.ordered_nodes()) {
        if (node->name() == name) return node;
    }
    throw ModelError("the graph has no node " + name);
}

TEST(XmlReader, KnowsAnIrWhenItSeesOne) {
    EXPECT_TRUE(can_read(fixture()));
    EXPECT_TRUE(can_read("\xEF\xBB\xBF <net name='x' version='11'>"));
    EXPECT_FALSE(can_read(""));
    EXPECT_FALSE(can_read("<?xml version='1.0'?><html></html>"));
    EXPECT_FALSE(can_read(std::string("\x08\x07<net", 6)));
    EXPECT_FALSE(ir::can_read({}));
}

TEST(XmlReader, ReadsTheFixture) {
    const auto graph = test::read_file(kFixture + ".xml");
    check_graph(*graph);
    EXPECT_EQ(graph->name(), "lstm_model");
    const auto lstm = std::dynamic_pointer_cast<ops::RecurrentOp>(find(*graph, "lstm"));
    ASSERT_TRUE(lstm);
    EXPECT_EQ(lstm->attributes().hidden_size, 2);
    EXPECT_EQ(lstm->output_shape(0), (PartialShape{1, 1, 2, 2}));
    EXPECT_EQ(lstm->output(1).names(), std::set<std::string>{"Ho"});
    ASSERT_EQ(graph->results().size(), 3u);
    EXPECT_EQ(graph->results()[2]->output(0).names(), std::set<std::string>{"Co"});
    const auto weights = as<ops::Constant>(find(*graph, "W"));
    EXPECT_FLOAT_EQ(weights->value().data<float>()[6], 0.3f);
    EXPECT_EQ(as<ops::Constant>(find(*graph, "seq_len"))->value().data<std::int64_t>()[0], 2);
}

// Files as OpenVINO wrote them; tests/data/ir/README.md says how.
TEST(XmlReader, ReadsWhatOpenVinoWrites) {
    const auto lstm = test::read_file(RONDO_SOURCE_DIR "/tests/data/ir/openvino_lstm.xml");
    check_graph(*lstm);
    EXPECT_EQ(lstm->parameters()[0]->output_shape(0), PartialShape::parse("?,1..50,4"));
    const Node& sequence = lstm->results()[0]->input(0).node();
    const auto& attributes = dynamic_cast<const ops::RecurrentOp&>(sequence).attributes();
    EXPECT_EQ(attributes.direction, ops::Direction::reverse);
    EXPECT_EQ(attributes.clip, 0.7f);
}

const std::string kStateful = RONDO_SOURCE_DIR "/tests/data/ir/openvino_stateful";

TEST(XmlReader, ReadsVariables) {
    const auto graph = test::read_file(kStateful + ".xml");
    check_graph(*graph);
    const auto variables = ops::variables_of(*graph);
    ASSERT_EQ(variables.size(), 2u);
    EXPECT_EQ(variables[0].id, "h");
    EXPECT_EQ(variables[0].assign->name(), "assign_h");
    EXPECT_EQ(variables[1].id, "c");
    EXPECT_EQ(variables[1].type(), ElementType::f32);
    EXPECT_EQ(variables[1].shape(), PartialShape::parse("?,1,4"));
    EXPECT_TRUE(variables[1].read->has_init());
}

TEST(XmlReader, RefusesVariablesThatAreNoPairs) {
    const std::string xml = bytes_of(kStateful + ".xml");
    const auto expect_refused = [&](const std::string& from, const std::string& to,
                                    const std::string& message) {
        expect_error<ModelError>(
            [&] { read_text(replaced(xml, from, to), test::bytes_tensor(kStateful + ".bin")); },
            message);
    };
    expect_refused("<data variable_id=\"h\" />", "<data variable_id=\"x\" />",
                   "node 'assign_h' (Assign): variable 'x' is never read");
    expect_refused("<data variable_id=\"h\" />", "<data />", "variable_id is missing or empty");
    expect_refused("variable_id=\"c\" variable_type", "variable_id=\"h\" variable_type",
                   "variable 'h' is already read by");
    expect_refused("variable_type=\"f32\"", "variable_type=\"f16\"",
                   "the init input is f32; expected the variable's type f16");
}

TEST(XmlReader, ReadsCompressedWeights) {
    const auto gru = test::read_file(RONDO_SOURCE_DIR "/tests/data/ir/openvino_gru_f16.xml");
    check_graph(*gru);
    const Node& sequence = gru->results()[0]->input(0).node();
    EXPECT_TRUE(dynamic_cast<const ops::RecurrentOp&>(sequence).attributes().linear_before_reset);
    const Node& convert = sequence.input(3).node();
    EXPECT_EQ(convert.type_name(), "Convert");
    EXPECT_EQ(convert.rt_info().count("decompression"), 1u);
    EXPECT_EQ(convert.output_type(0), ElementType::f32);
    EXPECT_EQ(as<ops::Constant>(convert.input(0))->value().element_type(), ElementType::f16);
}

TEST(XmlReader, TakesWeightsFromAnotherPath) {
    const test::TemporaryFolder folder;
    std::filesystem::copy(kFixture + ".xml", folder / "m.xml");
    std::filesystem::copy(kFixture + ".bin", folder / "other.weights");
    EXPECT_NO_THROW(test::read_file(folder / "m.xml", folder / "other.weights"));
    expect_error<ModelError>(
        [&] { test::read_file(folder / "m.xml"); },
        "m.xml: layer 1 'H0' (Const): " + folder.path() + "/m.bin: can't read");
}

TEST(XmlReader, ShapesInPortsDoNotMatter) {
    const auto expected = to_text(*read_text(fixture()));
    std::string text = fixture();
    for (auto at = text.find("<dim>2"); at != std::string::npos; at = text.find("<dim>2")) {
        text.replace(at, 6, "<dim>-7");
    }
    EXPECT_EQ(to_text(*read_text(text)), expected);
}

TEST(XmlReader, TypesMayBeWrittenInAnyCase) {
    const auto expected = to_text(*read_text(fixture()));
    EXPECT_EQ(to_text(*read_text(replaced(fixture(), "LSTMSequence", "lstmsequence"))), expected);
    EXPECT_EQ(to_text(*read_text(replaced(fixture(), "opset5", "opset13"))), expected);
}

TEST(XmlReader, TakesVersion10) {
    std::string text = replaced(fixture(), "version=\"11\"", "version=\"10\"");
    text = replaced(text, "<rt_info />", "<meta_data><MO_version value=\"x\"/></meta_data>");
    EXPECT_EQ(to_text(*read_text(text)), to_text(*read_text(fixture())));
}

TEST(XmlReader, KeepsRunTimeInformation) {
    std::string text = replaced(fixture(), "<rt_info />", "<rt_info><a value='1'/></rt_info>");
    text = replaced(text, "clip=\"0\" />",
                    "clip=\"0\" /><rt_info><attribute name='n' version='0' value='v'/></rt_info>");
    const auto graph = read_text(text);
    EXPECT_EQ(graph->rt_info().at("a"), "1");
    EXPECT_EQ(find(*graph, "lstm")->rt_info().at("n"), "v");
}

TEST(XmlReader, MakesNamesUnique) {
    std::string text = replaced(fixture(), "name=\"C0\"", "name=\"H0\"");
    text = replaced(text, "name=\"W\"", "name=\"H0_1\"");
    text = replaced(text, "name=\"R\"", "name=\"\"");
    const auto graph = read_text(text);
    check_graph(*graph);
    const auto nodes = graph->ordered_nodes();
    EXPECT_EQ(nodes[1]->name(), "H0");
    EXPECT_EQ(nodes[2]->name(), "H0_2");
    EXPECT_EQ(nodes[4]->name(), "H0_1");
    EXPECT_EQ(nodes[5]->name(), "Const_1");
}

TEST(XmlReader, DropsLayersThatNobodyNeeds) {
    const std::string dead = "<layer id=\"99\" name=\"d\" type=\"Unheard\" version=\"opset1\"/>";
    const auto graph = read_text(replaced(fixture(), "</layers>", dead + "</layers>"));
    EXPECT_EQ(to_text(*graph), to_text(*read_text(fixture())));
}

TEST(XmlReader, KeepsParametersThatNobodyReads) {
    const std::string unused =
        "<layer id=\"99\" name=\"u\" type=\"Parameter\" version=\"opset1\"><data shape=\"?,..5\" "
        "element_type=\"i32\"/><output><port id=\"0\"/></output></layer>";
    const auto graph = read_text(replaced(fixture(), "<layers>", "<layers>" + unused));
    ASSERT_EQ(graph->parameters().size(), 2u);
    EXPECT_EQ(graph->parameters()[0]->name(), "u");
    EXPECT_EQ(graph->parameters()[0]->output_shape(0), PartialShape::parse("?,..5"));
}

TEST(XmlReader, RefusesDamagedXml) {
    const std::string text = fixture();
    expect_error<ModelError>([&] { read_text(text.substr(0, text.size() / 2)); },
                             "the XML is damaged or cut off");
    expect_error<ModelError>([] { read_text("<net version='11'>\n<layers>\n<x></y>"); },
                             "model in memory: line 3: the XML is damaged");
    expect_error<ModelError>([] { read_text(" "); }, "No document element found");
    expect_error<ModelError>([] { read_text("<html/>"); }, "has no <net>");
    expect_error<ModelError>([] { read_text("<net version='11'/>"); }, "has no Result");
    expect_error<ModelError>([] { read_text("<net/>"); }, "attribute 'version' is missing");
}

TEST(XmlReader, EveryPrefixOfTheFileIsRefused) {
    const std::string text = fixture();
    const std::size_t end = text.find("</net>");
    for (std::size_t size = 0; size < end; size += 37) {
        EXPECT_THROW(read_text(text.substr(0, size)), ModelError) << size;
    }
}

TEST(XmlReader, RefusesOtherVersions) {
    const std::string version = "version=\"11\"";
    expect_broken<UnsupportedError>(version, "version=\"7\"", "the IR's version is 7; Rondo reads");
    expect_broken<UnsupportedError>(version, "version=\"12\"", "the IR's version is 12");
    expect_broken(version, "version=\"x\"", "attribute 'version' is 'x'");
}

TEST(XmlReader, NamesAllUnknownTypesAtOnce) {
    std::string text = replaced(fixture(), "opset5", "opset1");
    text = replaced(text, "type=\"Const\"", "type=\"Foo\"");
    text =
        replaced(text, "type=\"Const\" version=\"opset1\"", "type=\"Bar\" version=\"extension\"");
    text = replaced(text, "type=\"Const\"", "type=\"Foo\"");
    expect_error<UnsupportedError>(
        [&] { read_text(text); },
        "model in memory: unsupported layer types: 'Bar' (extension), 'Foo' (opset1), "
        "'LSTMSequence' (opset1; known in opset5 and later)");
}

TEST(XmlReader, RefusesBadAttributes) {
    const std::string lstm = "layer 7 'lstm' (LSTMSequence): ";
    expect_broken("hidden_size=\"2\"", "hidden_size=\"two\"",
                  lstm + "attribute 'hidden_size' is 'two'; expected an integer");
    expect_broken("hidden_size=\"2\"", "",
                  lstm + "hidden_size is 0 or missing; LSTMSequence of opset5");
    expect_broken("hidden_size=\"2\"", "hidden_size=\"0\"", lstm + "hidden_size is 0 or missing");
    expect_broken("clip=\"0\"", "clip=\"0,5\"", lstm + "attribute 'clip' is '0,5'");
    expect_broken("direction=\"forward\"", "direction=\"up\"", lstm + "attribute 'direction'");
    expect_broken<UnsupportedError>("clip=\"0\"", "clip=\"0\" newer=\"1\"",
                                    lstm + "attribute 'newer' (\"1\") is not known");
    expect_broken(" element_type=\"f32\" />", " />",
                  "layer 0 'X' (Parameter): attribute 'element_type' is missing");
    expect_broken("shape=\"1,2,3\" ", "", "layer 0 'X' (Parameter): attribute 'shape' is missing");
    expect_broken("shape=\"1,2,3\"", "shape=\"1,b,3\"", "attribute 'shape': can't read 'b'");
    expect_broken<UnsupportedError>(" element_type=\"f32\" />", " element_type=\"string\" />",
                                    "attribute 'element_type': element type 'string'");
    expect_broken(" element_type=\"f32\" />", " element_type=\"f33\" />",
                  "attribute 'element_type': unknown element type 'f33'");
}

TEST(XmlReader, RefusesBadConstants) {
    const std::string place = "model in memory: layer 1 'H0' (Const): ";
    const std::string data = "shape=\"1, 1, 2\" offset=\"0\" size=\"8\"";
    const auto expect_bad = [&](const std::string& changed, const std::string& message) {
        expect_broken(data, changed, place + message);
    };
    expect_bad("shape=\"1, 1, 2\" offset=\"204\" size=\"8\"",
               "offset 204 and size 8 pass the end of the weights in memory, which has 208 bytes");
    expect_bad("shape=\"1, 1, 2\" offset=\"9223372036854775807\" size=\"8\"", "offset 92233720368");
    expect_bad("shape=\"1, 1, 3\" offset=\"0\" size=\"8\"",
               "size is 8 bytes, but f32[1,1,3] takes 12");
    expect_bad("shape=\"1, ?, 2\" offset=\"0\" size=\"8\"", "the shape [1,?,2] is not fully known");
    expect_bad("shape=\"4294967296, 4294967296\" offset=\"0\" size=\"8\"",
               "a tensor of shape [4294967296,4294967296] has too many");
    expect_bad("shape=\"1, 1, 2\" offset=\"-8\" size=\"8\"", "attribute 'offset' is '-8'");
    expect_bad("shape=\"1, 1, 2\" offset=\"0\"", "attribute 'size' is missing");
    expect_bad("offset=\"0\" size=\"8\"", "attribute 'shape' is missing");
    expect_broken<UnsupportedError>("element_type=\"f32\" shape=\"1, 1, 2\"",
                                    "element_type=\"u1\" shape=\"1, 1, 2\"",
                                    place + "attribute 'element_type': element type 'u1'");
    expect_broken("element_type=\"f32\" shape=\"1, 1, 2\"", "element_type=\"u4\" shape=\"1, 1, 2\"",
                  place + "size is 8 bytes, but u4[1,1,2] takes 1");
}

TEST(XmlReader, NamesTheLayerWhoseInferenceFails) {
    expect_broken("shape=\"1, 8, 2\"", "shape=\"1, 4, 4\"",
                  "model in memory: layer 7 'lstm' (LSTMSequence): hidden_size is 2 but R has");
}

TEST(XmlReader, RefusesAnOutputThatTheOpDoesNotHave) {
    std::string text = replaced(fixture(), "<port id=\"9\" precision=\"FP32\" names=\"Co\">",
                                "<port id=\"8888\"/><port id=\"9\" precision=\"FP32\">");
    expect_error<ModelError>(
        [&] { read_text(text); },
        "layer 7 'lstm' (LSTMSequence) has 3 outputs; output 3 isn't one of them");
}

TEST(XmlReader, MessagesStayOnOneLine) {
    // expect_error() itself refuses messages of several lines.
    const std::string text = replaced(fixture(), "name=\"H0\"", "name=\"H&#10;0\"");
    expect_error<ModelError>([&] { read_text(replaced(text, "offset=\"0\"", "offset=\"999\"")); },
                             "layer 1 'H?0' (Const)");
}

TEST(XmlReader, DeepNestingIsHarmless) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "<a>";
    for (int i = 0; i < 100000; ++i) deep += "</a>";
    EXPECT_NO_THROW(
        read_text(replaced(fixture(), "<rt_info />", "<rt_info>" + deep + "</rt_info>")));
}

// A chain of transposes: long enough to overflow the stack of anything recursive.
std::string chain(int length, const std::string& last_type) {
    std::string layers =
        "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='2' "
        "element_type='f32'/><output><port id='0'/></output></layer><layer id='1' name='o' "
        "type='Const' version='opset1'><data element_type='i64' shape='0' offset='0' size='0'/>"
        "<output><port id='0'/></output></layer>";
    std::string edges;
    const auto join = [&](int from, int from_port, int to, int to_port) {
        edges += "<edge from-layer='" + std::to_string(from) + "' from-port='" +
                 std::to_string(from_port) + "' to-layer='" + std::to_string(to) + "' to-port='" +
                 std::to_string(to_port) + "'/>";
    };
    for (int id = 2; id <= length; ++id) {
        const bool last = id == length;
        layers += "<layer id='" + std::to_string(id) + "' name='t' type='" +
                  (last ? last_type : "Transpose") + "' version='opset1'><input><port id='0'/>" +
                  (last ? "" : "<port id='1'/>") +
                  "</input><output><port id='2'/></output></layer>";
        join(id == 2 ? 0 : id - 1, id == 2 ? 0 : 2, id, 0);
        if (!last) join(1, 0, id, 1);
    }
    return "<net name='chain' version='11'><layers>" + layers + "</layers><edges>" + edges +
           "</edges></net>";
}

TEST(XmlReader, LongChainsAreReadAndLetGo) {
    const auto graph = read_text(chain(20000, "Result"));
    EXPECT_EQ(graph->ordered_nodes().size(), 20001u);
}

TEST(XmlReader, LongChainsThatFailAreLetGo) {
    std::string text = chain(20000, "Result");
    const auto at = text.rfind("type='Transpose'");
    text.replace(at, std::strlen("type='Transpose'"), "type='Const'");
    expect_error<ModelError>([&] { read_text(text); }, "(Const)");
}

// One line of the file changed, dropped, doubled or swapped, or a number in it replaced.
std::string mutated(std::string text, test::Rng& rng) {
    const auto pick = [&](std::size_t count) {
        return static_cast<std::size_t>(
            test::uniform_int(rng, 0, static_cast<std::int64_t>(count) - 1));
    };
    const std::size_t from = text.rfind('\n', pick(text.size())) + 1;
    const std::size_t size = text.find('\n', from) + 1 - from;
    const std::string line = text.substr(from, size);
    switch (pick(5)) {
        case 0: return text.erase(from, size);
        case 1: return text.insert(from, line);
        case 2: return text.erase(from, size).insert(pick(text.size()), line);
        case 3: text[pick(text.size())] = static_cast<char>(pick(256)); return text;
        default: break;
    }
    static const std::vector<std::string> kNumbers = {
        "0", "1", "2", "7", "9", "-1", "", "x", "4294967296", "9223372036854775807", "1e9"};
    const std::size_t digit = text.find_first_of("0123456789", from);
    if (digit == std::string::npos) return text;
    return text.replace(digit, 1, kNumbers[pick(kNumbers.size())]);
}

TEST(XmlReader, DamagedFilesAreRefusedOrMeanWhatTheySay) {
    auto rng = test::test_rng();
    const test::TemporaryFolder folder;
    int accepted = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = fixture();
        for (auto n = test::uniform_int(rng, 1, 3); n > 0; --n) text = mutated(text, rng);
        std::shared_ptr<Graph> graph;
        try {
            graph = read_text(text);
        } catch (const ModelError&) {
        } catch (const UnsupportedError&) {
        }
        if (!graph) continue;
        check_graph(*graph);
        if (!test::was_written(*graph, folder / "m.xml")) continue;
        ASSERT_EQ(to_text(*test::read_file(folder / "m.xml")), to_text(*graph)) << text;
        ++accepted;
    }
    EXPECT_GT(accepted, 100);
    EXPECT_LT(accepted, 2900);
}

}  // namespace
}  // namespace rondo::xml_reader_test
