#include <sys/resource.h>

#include <csignal>

#include "core/graph/inference.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/support/digest.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/mystery_op.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::xml_writer_test {
namespace {

using test::bytes_of;
using test::expect_error;
using test::expect_same;
using test::kFixture;
using test::random_tensor;
using test::read_file;
using test::TemporaryFolder;

template <typename T, typename... Args>
std::shared_ptr<T> node_named(const std::string& name, Args&&... args) {
    auto node = make_node<T>(std::forward<Args>(args)...);
    node->set_name(name);
    return node;
}

std::shared_ptr<Graph> graph_of(std::vector<NodePtr> parameters, std::vector<NodePtr> results) {
    return std::make_shared<Graph>("test", std::move(parameters), std::move(results));
}

// x -> transpose -> result, and a constant as a second result.
std::shared_ptr<Graph> small_graph(Tensor constant) {
    const auto x =
        node_named<ops::Parameter>("x", ElementType::f32, PartialShape::parse("?,2..10,3"));
    x->output(0).set_names({"in", "also,in"});
    const auto order = ops::make_i64({1, 0, 2}, "order");
    const auto transpose = node_named<ops::Transpose>("t", x, order);
    const auto weights = node_named<ops::Constant>("w", std::move(constant));
    return graph_of(
        {x}, {node_named<ops::Result>("y", transpose), node_named<ops::Result>("z", weights)});
}

void expect_same_graphs(const Graph& actual, const Graph& expected) {
    check_graph(actual);
    EXPECT_EQ(to_text(actual), to_text(expected));
    EXPECT_EQ(actual.rt_info(), expected.rt_info());
    const auto nodes = actual.ordered_nodes();
    const auto others = expected.ordered_nodes();
    ASSERT_EQ(nodes.size(), others.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        EXPECT_EQ(nodes[i]->rt_info(), others[i]->rt_info()) << nodes[i]->name();
        if (const auto constant = as<ops::Constant>(nodes[i])) {
            expect_same(constant->value(), as<ops::Constant>(others[i])->value());
        }
    }
}

void expect_round_trip(const Graph& graph) {
    const TemporaryFolder folder;
    ir::write(graph, folder / "m.xml");
    expect_same_graphs(*read_file(folder / "m.xml"), graph);
}

std::string digest_of(const std::string& path) {
    const std::string bytes = bytes_of(path);
    Digester digester;
    digester.add(bytes.data(), bytes.size());
    return digester.digest().text();
}

TEST(XmlWriter, RewritesTheFixtureByteForByte) {
    const TemporaryFolder folder;
    ir::write(*read_file(kFixture + ".xml"), folder / "m.xml");
    const std::string digest = " weights_digest=\"" + digest_of(folder / "m.bin") + "\"";
    EXPECT_EQ(test::replaced(bytes_of(folder / "m.xml"), digest, ""), bytes_of(kFixture + ".xml"));
    EXPECT_EQ(bytes_of(folder / "m.bin"), bytes_of(kFixture + ".bin"));
}

TEST(XmlWriter, RoundTripsVariables) {
    expect_round_trip(*read_file(RONDO_SOURCE_DIR "/tests/data/ir/openvino_stateful.xml"));
}

// Both forms, an unknown rank, no results.
TEST(XmlWriter, RoundTripsBothFormsOfVariables) {
    const auto x = node_named<ops::Parameter>("x", ElementType::f32, PartialShape::parse("?,2"));
    const auto older = std::make_shared<ops::ReadValue3>(std::vector<Output>{x});
    older->set_variable_id("a");
    older->set_name("older");
    older->validate();
    const auto newer = node_named<ops::ReadValue>("newer", std::vector<Output>{x}, "b",
                                                  ElementType::f32, PartialShape());
    const auto bounded = node_named<ops::ReadValue>(
        "bounded", std::vector<Output>{}, "c", ElementType::i64, PartialShape::parse("2..9,?"));
    const Graph graph("g", {x}, {},
                      {node_named<ops::Assign3>("assign_a", newer, "a"),
                       node_named<ops::Assign>("assign_b", older, "b"),
                       node_named<ops::Assign>("assign_c", bounded, "c")});
    expect_round_trip(graph);
}

TEST(XmlWriter, RoundTripsEveryElementType) {
    auto rng = test::test_rng();
    for (const ElementType type :
         {ElementType::boolean, ElementType::f64, ElementType::f32, ElementType::f16,
          ElementType::bf16, ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8,
          ElementType::u64, ElementType::u32, ElementType::u16, ElementType::u8}) {
        expect_round_trip(*small_graph(random_tensor(type, {3, 5}, rng, 0, 9)));
    }
}

TEST(XmlWriter, RoundTripsScalarsAndEmptyTensors) {
    expect_round_trip(*small_graph(test::scalar_of<float>(2)));
    expect_round_trip(*small_graph(Tensor(ElementType::f32, {0, 3})));
}

TEST(XmlWriter, RoundTripsStridedConstants) {
    float memory[] = {1, 9, 2, 9};
    expect_round_trip(*small_graph(Tensor(ElementType::f32, {2}, memory, {8})));
}

TEST(XmlWriter, RoundTripsOddNames) {
    const auto graph = small_graph(test::scalar_of<float>(2));
    graph->set_name("a \"net\" <&>\n");
    graph->results()[0]->set_name("r\n\t\r'\"\xC3\xA9\x7F\xEF\xBF\xBD\xF0\x9F\x98\x80");
    graph->results()[0]->output(0).set_names({"own", " blank "});
    expect_round_trip(*graph);
}

TEST(XmlWriter, RoundTripsRunTimeInformation) {
    const auto graph = small_graph(test::scalar_of<float>(2));
    graph->rt_info() = {{"conversion_parameters/input_model", "x.onnx"}, {"Runtime_version", "1"}};
    for (const auto& node : graph->ordered_nodes()) node->rt_info()["from"] = node->name();
    expect_round_trip(*graph);
}

TEST(XmlWriter, RoundTripsUnknownRanks) {
    const auto x = node_named<ops::Parameter>("x", ElementType::dynamic, PartialShape());
    const auto s = node_named<ops::Parameter>("s", ElementType::f32, PartialShape(Shape{}));
    expect_round_trip(
        *graph_of({s, x}, {node_named<ops::Result>("y", x), node_named<ops::Result>("z", s)}));
}

std::shared_ptr<ops::Constant> weights(const std::string& name, const Shape& shape,
                                       test::Rng& rng) {
    return node_named<ops::Constant>(name, random_tensor(ElementType::f32, shape, rng));
}

// What OpenVINO has no words for.
std::shared_ptr<Graph> peephole_graph() {
    auto rng = test::test_rng();
    constexpr std::size_t kHidden = 3;
    const auto x = node_named<ops::Parameter>("X", ElementType::f32, PartialShape::parse("?,?,2"));
    const auto lengths =
        node_named<ops::Parameter>("len", ElementType::i32, PartialShape::parse("?"));
    const auto h = node_named<ops::Parameter>("H0", ElementType::f32, PartialShape::parse("?,1,3"));
    auto lstm = std::make_shared<ops::LSTMSequence>(std::vector<Output>{
        x, h, h, lengths, weights("W", {1, 4 * kHidden, 2}, rng),
        weights("R", {1, 4 * kHidden, kHidden}, rng), weights("B", {1, 4 * kHidden}, rng),
        weights("P", {1, 3 * kHidden}, rng)});
    ops::RecurrentAttributes attributes;
    attributes.hidden_size = kHidden;
    attributes.activations = {"hardsigmoid", "tanh", "scaledtanh"};
    attributes.activations_alpha = {0.1f, 1.7159f};
    attributes.activations_beta = {0.5f, 0.66666669f};
    attributes.clip = 0.1f;
    attributes.input_forget = true;
    lstm->set_attributes(attributes);
    lstm->set_name("lstm");
    lstm->validate();
    return graph_of({x, lengths, h}, {node_named<ops::Result>("Y", lstm)});
}

TEST(XmlWriter, WritesOurOwnOpset) {
    const TemporaryFolder folder;
    const auto graph = peephole_graph();
    ir::write(*graph, folder / "m.xml");
    EXPECT_NE(bytes_of(folder / "m.xml").find("type=\"LSTMSequence\" version=\"rondo1\""),
              std::string::npos);
    expect_same_graphs(*read_file(folder / "m.xml"), *graph);
}

TEST(XmlWriter, StoresEqualConstantsOnce) {
    auto rng = test::test_rng();
    const Tensor value = random_tensor(ElementType::f32, {100}, rng);
    const auto graph =
        graph_of({}, {node_named<ops::Result>("a", node_named<ops::Constant>("c", value)),
                      node_named<ops::Result>("b", node_named<ops::Constant>("d", value))});
    const TemporaryFolder folder;
    ir::write(*graph, folder / "m.xml");
    EXPECT_EQ(std::filesystem::file_size(folder / "m.bin"), 400u);
    expect_same_graphs(*read_file(folder / "m.xml"), *graph);
}

// What a kill between the two renames leaves, or a copy of one file alone.
TEST(XmlWriter, TiesTheTwoFilesTogether) {
    auto rng = test::test_rng();
    const TemporaryFolder folder;
    ir::write(*small_graph(random_tensor(ElementType::f32, {50}, rng)), folder / "old.xml");
    ir::write(*small_graph(random_tensor(ElementType::f32, {50}, rng)), folder / "new.xml");
    std::filesystem::copy(folder / "old.xml", folder / "torn.xml");
    std::filesystem::copy(folder / "new.bin", folder / "torn.bin");
    const char* message = "/torn.bin' was not written together with this XML";
    expect_error<ModelError>([&] { read_file(folder / "torn.xml"); }, message);
    expect_error<ModelError>([&] { read_file(folder / "old.xml", folder / "new.bin"); },
                             "expected " + digest_of(folder / "old.bin"));
    EXPECT_NO_THROW(read_file(folder / "torn.xml", folder / "old.bin"));
}

// Also where only a body has weights.
TEST(XmlWriter, TiesTheWeightsOfBodies) {
    const TemporaryFolder folder;
    ir::write(*test::choice(), folder / "m.xml");
    EXPECT_NO_THROW(read_file(folder / "m.xml"));
    const auto size = std::filesystem::file_size(folder / "m.bin");
    ASSERT_GT(size, 0u);
    test::write_bytes(folder / "m.bin", std::string(size, 'x'));
    expect_error<ModelError>([&] { read_file(folder / "m.xml"); },
                             "/m.bin' was not written together with this XML");
}

TEST(XmlWriter, AModelWithoutWeightsHasNoDigest) {
    const auto x = node_named<ops::Parameter>("x", ElementType::f32, PartialShape{2});
    const TemporaryFolder folder;
    ir::write(*graph_of({x}, {node_named<ops::Result>("y", x)}), folder / "m.xml");
    EXPECT_EQ(bytes_of(folder / "m.xml").find("weights_digest"), std::string::npos);
    std::filesystem::remove(folder / "m.bin");
    EXPECT_NO_THROW(read_file(folder / "m.xml"));
}

// x -> first -> second, all in one chain: what reads a Result reads what it passes on.
TEST(XmlWriter, AResultThatWasReadIsWritten) {
    const std::string port = "<port id=\"0\" precision=\"FP32\"/>";
    const std::string result =
        "\" type=\"Result\" version=\"opset1\"><input>" + port +
        "</input><output><port id=\"1\" precision=\"FP32\"/></output></layer>";
    const auto graph = test::read_text(
        "<net name=\"n\" version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" "
        "version=\"opset1\"><data shape=\"2\" element_type=\"f32\"/><output>" +
        port + "</output></layer><layer id=\"1\" name=\"first" + result +
        "<layer id=\"2\" name=\"second" + result +
        "</layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/>"
        "<edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/></edges></net>");
    check_graph(*graph);
    ASSERT_EQ(graph->results().size(), 2u);
    for (const auto& node : graph->results()) EXPECT_EQ(node->input(0).node().name(), "x");
    const test::TemporaryFolder folder;
    ir::write(*graph, folder / "m.xml");
    EXPECT_EQ(to_text(*test::read_file(folder / "m.xml")), to_text(*graph));
}

TEST(XmlWriter, WritesOverTheFilesItReads) {
    auto rng = test::test_rng();
    const TemporaryFolder folder;
    const auto graph = small_graph(random_tensor(ElementType::f32, {5000}, rng));
    ir::write(*graph, folder / "m.xml");
    const auto mapped = read_file(folder / "m.xml");  // its weights are the file
    ir::write(*mapped, folder / "m.xml");
    expect_same_graphs(*read_file(folder / "m.xml"), *graph);
    expect_same_graphs(*mapped, *graph);
}

TEST(XmlWriter, CompressesToF16) {
    auto rng = test::test_rng();
    const auto graph = small_graph(random_tensor(ElementType::f32, {4, 5}, rng));
    graph->results()[1]->input(0).set_names({"w_name"});
    const TemporaryFolder folder;
    ir::WriteOptions options;
    options.weights = ElementType::f16;
    ir::write(*graph, folder / "m.xml", options);
    const auto compressed = read_file(folder / "m.xml");
    check_graph(*compressed);
    const Output source = compressed->results()[1]->input(0);
    EXPECT_EQ(source.node().name(), "w");
    EXPECT_EQ(source.node().type_name(), "Convert");
    EXPECT_EQ(source.element_type(), ElementType::f32);
    EXPECT_EQ(source.names(), std::set<std::string>{"w_name"});
    EXPECT_EQ(source.node().rt_info().count("decompression"), 1u);
    const auto constant = as<ops::Constant>(source.node().input(0));
    ASSERT_TRUE(constant);
    EXPECT_EQ(constant->name(), "w_compressed");
    test::expect_near(test::converted(constant->value(), ElementType::f32),
                      as<ops::Constant>(graph->results()[1]->input(0))->value(), 0, 0x1p-11);
    EXPECT_EQ(as<ops::Constant>(compressed->results()[0]->input(0).node().input(1))
                  ->value()
                  .element_type(),
              ElementType::i64);
    expect_round_trip(*compressed);
}

TEST(XmlWriter, CompressesToBf16) {
    auto rng = test::test_rng();
    const auto graph = small_graph(random_tensor(ElementType::f32, {4, 5}, rng));
    const TemporaryFolder folder;
    ir::write(*graph, folder / "m.xml", {ElementType::bf16});
    const auto compressed = read_file(folder / "m.xml");
    const Output source = compressed->results()[1]->input(0);
    EXPECT_EQ(source.node().type_name(), "Convert");
    const auto constant = as<ops::Constant>(source.node().input(0));
    ASSERT_TRUE(constant);
    EXPECT_EQ(constant->value().element_type(), ElementType::bf16);
    test::expect_near(test::converted(constant->value(), ElementType::f32),
                      as<ops::Constant>(graph->results()[1]->input(0))->value(), 0, 0x1p-8);
    expect_round_trip(*compressed);
}

TEST(XmlWriter, ACompressedNameAvoidsOthers) {
    auto rng = test::test_rng();
    const auto graph = small_graph(random_tensor(ElementType::f32, {2}, rng));
    graph->results()[0]->set_name("w_compressed");
    const TemporaryFolder folder;
    ir::WriteOptions options;
    options.weights = ElementType::f16;
    ir::write(*graph, folder / "m.xml", options);
    const auto nodes = read_file(folder / "m.xml")->results();
    EXPECT_EQ(nodes[1]->input(0).node().input(0).node().name(), "w_compressed_");
}

TEST(XmlWriter, RefusesPathsThatAreNone) {
    const auto graph = small_graph(test::scalar_of<float>(2));
    expect_error<ModelError>(
        [&] { ir::write(*graph, "model.onnx"); },
        "'model.onnx' is not a name for an IR; expected one that ends in .xml");
    expect_error<ModelError>(
        [&] { ir::write(*graph, "/nowhere/at/all/m.xml"); },
        "/nowhere/at/all/m.bin: can't create the file: there is no folder '/nowhere/at/all'");
}

TEST(XmlWriter, RefusesOpsThatNoReaderKnows) {
    const auto x = node_named<ops::Parameter>("x", ElementType::f32, PartialShape::parse("2"));
    const auto op = node_named<test::Mystery>("m", std::vector<Output>{x});
    const auto graph = graph_of({x}, {node_named<ops::Result>("y", op)});
    const TemporaryFolder folder;
    expect_error<UnsupportedError>([&] { ir::write(*graph, folder / "m.xml"); },
                                   "node 'm' (Mystery): this op is made by a device for itself");
}

TEST(XmlWriter, RefusesNamesThatXmlCannotHold) {
    const TemporaryFolder folder;
    const auto graph = small_graph(test::scalar_of<float>(2));
    graph->results()[0]->set_name(std::string("a\0b", 3));
    expect_error<ModelError>([&] { ir::write(*graph, folder / "m.xml"); },
                             "attribute 'name' holds a NUL character");
    graph->results()[0]->set_name("ok");
    graph->results()[0]->output(0).set_names({"a\\", "b"});
    expect_error<ModelError>([&] { ir::write(*graph, folder / "m.xml"); },
                             "m.xml: node 'ok' (Result): tensor name 'b' follows");
    graph->results()[0]->output(0).set_names({"a\x1F"});
    expect_error<ModelError>([&] { ir::write(*graph, folder / "m.xml"); },
                             "attribute 'output_names' holds the control character 0x1f, which");
    graph->results()[0]->set_name("caf\xe9");
    expect_error<ModelError>([&] { ir::write(*graph, folder / "m.xml"); },
                             "attribute 'name' holds the byte 0xe9, which is not UTF-8");
}

// Neither file is replaced where one of them can't be.
TEST(XmlWriter, ChecksBothFilesFirst) {
    const TemporaryFolder folder;
    const auto old = small_graph(test::scalar_of<float>(2));
    const auto graph = small_graph(test::scalar_of<float>(3));
    for (const auto& [taken, other] : {std::pair("m.xml", "m.bin"), {"m.bin", "m.xml"}}) {
        ir::write(*old, folder / "m.xml");
        const std::string bytes = bytes_of(folder / other);
        std::filesystem::remove(folder / taken);
        std::filesystem::create_directory(folder / taken);
        expect_error<ModelError>([&] { ir::write(*graph, folder / "m.xml"); },
                                 std::string(taken) + ": can't replace the file: it is a folder");
        EXPECT_EQ(bytes_of(folder / other), bytes);
        std::filesystem::remove(folder / taken);
    }
}

TEST(XmlWriter, AFailureLeavesTheOldFiles) {
    const TemporaryFolder folder;
    const auto old = small_graph(test::scalar_of<float>(2));
    ir::write(*old, folder / "m.xml");
    const auto graph = small_graph(Tensor(ElementType::f32, {4000}));
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // else the limit kills the process
    const rlimit small{1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    expect_error<ModelError>([&] { ir::write(*graph, folder / "m.xml"); },
                             "m.bin: can't write the file: File too large");
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    expect_same_graphs(*read_file(folder / "m.xml"), *old);
    const std::filesystem::directory_iterator files(folder.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 2);
}

}  // namespace
}  // namespace rondo::xml_writer_test
