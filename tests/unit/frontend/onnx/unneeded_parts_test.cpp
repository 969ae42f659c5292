#include "frontend/onnx/unneeded_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/onnx/node_places.hpp"
#include "rondo/log.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::unneeded_parts_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr ElementType f32 = ElementType::f32;

// y = -x.
ModelBuilder negation() {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y").node("Neg", {"x"}, {"y"}, "negate");
    return model;
}

void add_text(rondo_onnx::GraphProto& graph, const std::string& name) {
    auto& text = *graph.add_initializer();
    text.set_name(name);
    text.set_data_type(rondo_onnx::TensorProto::STRING);
    text.add_dims(1);
    text.add_string_data("abc");
}

void expect_negation(const ModelBuilder& model) {
    expect_same(model.run({tensor_of<float>({2}, {1, -2})}).at(0), tensor_of<float>({2}, {-1, 2}));
}

std::vector<std::string> nodes_of(const rondo_onnx::GraphProto& graph) {
    std::vector<std::string> names;
    for (int i = 0; i < graph.node_size(); ++i) names.push_back(shown_name(graph, i));
    return names;
}

TEST(UnneededParts, TextIsLeftOutUnlessItIsRead) {
    auto model = negation();
    add_text(model.graph(), "words");
    model.node("Constant", {}, {"one"}, "word").with("value_string", "abc");
    model.node("Constant", {}, {"two"}, "list")
        .with("value_strings", std::vector<std::string>{"a"});
    expect_negation(model);
    model.output("words");
    expect_error<UnsupportedError>([&] { model.read(); }, "tensor 'words': the element type 8");
}

TEST(UnneededParts, NodesAreLeftOutWhateverTheyAre) {
    auto model = negation();
    model.node("Tokenizer", {"x"}, {"a"}, "of no import").domain("org.example");
    model.node("Tokenizer", {"a"}, {"b"}, "behind it");
    model.node("Relu", {"x"}, {"c"}, "broken").with("axis", 1).with("axis", 2);
    model.node("MatMul", {"x"}, {"d"}, "too few");
    model.node("Relu", {"nowhere"}, {"e"}, "reads nothing");
    model.node("Relu", {"x"}, {}, "makes nothing");
    model.node("Relu", {"x"}, {""}, "makes an omitted output");
    model.node("Relu", {"g"}, {"f"}, "half a circle");
    model.node("Relu", {"f"}, {"g"}, "its other half");
    expect_negation(model);
}

TEST(UnneededParts, NodesWithoutAnOperatorOrNameAreLeftOutToo) {
    auto model = negation();
    model.graph().add_node();
    expect_negation(model);
}

TEST(UnneededParts, InitializersAreLeftOutWhateverTheyAre) {
    auto model = negation();
    model.initializer("too short", scalar_of<float>(1));
    model.graph().mutable_initializer(0)->add_dims(1000);
    auto& absent = *model.graph().add_initializer();
    absent.set_name("absent");
    absent.set_data_type(1);
    absent.set_data_location(rondo_onnx::TensorProto::EXTERNAL);
    auto& place = *absent.add_external_data();
    place.set_key("location");
    place.set_value("no such file");
    auto& complex = *model.graph().add_initializer();
    complex.set_name("complex");
    complex.set_data_type(rondo_onnx::TensorProto::COMPLEX64);
    model.graph().add_sparse_initializer()->mutable_values()->set_name("sparse");
    expect_negation(model);
}

// An input with an initializer is none that a caller gives, whether it is read or not.
TEST(UnneededParts, InputsGoWithTheirInitializers) {
    auto model = negation();
    model.input("words", ElementType::i32, {1});
    add_text(model.graph(), "words");
    EXPECT_EQ(model.read()->parameters().size(), 1u);
    expect_negation(model);
}

TEST(UnneededParts, WhatUnneededPartsReadIsUnneeded) {
    auto model = negation();
    model.initializer("table", scalar_of<float>(1));
    add_text(model.graph(), "keys");
    model.node("LabelEncoder", {"x", "keys", "table"}, {"label"}, "encode").domain("ai.onnx.ml");
    const UnneededParts removed = remove_unneeded(model.message());
    EXPECT_THAT(removed.nodes, ElementsAre("'encode' (LabelEncoder)"));
    EXPECT_THAT(removed.initializers, ElementsAre("'table'", "'keys'"));
    EXPECT_EQ(model.graph().initializer_size(), 0);
    EXPECT_THAT(nodes_of(model.graph()), ElementsAre("negate"));
}

TEST(UnneededParts, NothingElseChanges) {
    auto model = negation();
    model.initializer("w", scalar_of<float>(1)).output("z").output("w");
    model.node("Split", {"x"}, {"", "z"}, "reads one output");
    const std::string before = model.bytes();
    EXPECT_TRUE(remove_unneeded(model.message()).empty());
    EXPECT_EQ(model.bytes(), before);
}

// As messages and IR have named them.
TEST(UnneededParts, NamelessNodesKeepTheirNumbers) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y");
    model.node("Foo", {"x"}, {"dead"}, "");
    model.node("Relu", {"x"}, {"y"}, "");
    const UnneededParts removed = remove_unneeded(model.message());
    EXPECT_THAT(removed.nodes, ElementsAre("'Foo_0' (Foo)"));
    EXPECT_THAT(nodes_of(model.graph()), ElementsAre("Relu_1"));
}

ModelBuilder branch(const std::string& op, const std::string& reads, const std::string& makes) {
    ModelBuilder body;
    body.output(makes).node(op, {reads}, {makes}, op + " in a branch");
    return body;
}

TEST(UnneededParts, BodiesKeepWhatTheyReadAlive) {
    ModelBuilder model;
    model.input("c", ElementType::boolean, {}).input("x", f32, {2}).output("y");
    model.initializer("w", tensor_of<float>({2}, {5, 6}));
    model.node("Neg", {"x"}, {"minus"});
    auto yes = branch("Relu", "minus", "a");
    add_text(yes.graph(), "words");
    yes.node("Foo", {"only for foo"}, {"b"}, "foo");
    model.node("Tanh", {"x"}, {"only for foo"}, "feeds foo");
    model.node("If", {"c"}, {"y"})
        .with("then_branch", yes.graph())
        .with("else_branch", branch("Identity", "w", "d").graph());
    const UnneededParts removed = remove_unneeded(model.message());
    EXPECT_THAT(removed.nodes, ElementsAre("'foo' (Foo)", "'feeds foo' (Tanh)"));
    EXPECT_THAT(removed.initializers, ElementsAre("'words'"));
    expect_same(model.run({scalar_of<bool>(true), tensor_of<float>({2}, {1, -2})}).at(0),
                tensor_of<float>({2}, {0, 2}));
    expect_same(model.run({scalar_of<bool>(false), tensor_of<float>({2}, {1, -2})}).at(0),
                tensor_of<float>({2}, {5, 6}));
}

// The reader refuses names that a body takes again only if it reads them after that.
TEST(UnneededParts, ABodyMayReadANameThatItGivesToAnotherTensorLater) {
    ModelBuilder model;
    model.input("c", ElementType::boolean, {}).input("x", f32, {2}).output("y");
    model.node("Neg", {"x"}, {"a"});
    ModelBuilder yes;
    yes.output("a").node("Relu", {"a"}, {"b"}, "first");
    yes.node("Neg", {"b"}, {"a"}, "second");
    model.node("If", {"c"}, {"y"})
        .with("then_branch", yes.graph())
        .with("else_branch", branch("Identity", "x", "d").graph());
    expect_same(model.run({scalar_of<bool>(true), tensor_of<float>({2}, {1, -2})}).at(0),
                tensor_of<float>({2}, {-0.0f, -2}));
}

// A node of an operator that isn't known makes a body's output.
void add_foo(ModelBuilder& body, const std::string& output) {
    body.node("Foo", {}, {output}, output + " of foo").domain("org.example");
    body.output(output);
}

ModelBuilder choice() {
    ModelBuilder model;
    model.input("c", ElementType::boolean, {}).input("x", f32, {2}).output("y");
    auto yes = branch("Neg", "x", "a"), no = branch("Relu", "x", "b");
    add_foo(yes, "a2");
    add_foo(no, "b2");
    model.node("If", {"c"}, {"y", "z"}, "if")
        .with("then_branch", yes.graph())
        .with("else_branch", no.graph());
    return model;
}

TEST(UnneededParts, BranchesLoseWhatMakesAnUnreadOutput) {
    auto model = choice();
    const std::vector<Tensor> inputs = {scalar_of<bool>(true), tensor_of<float>({2}, {1, -2})};
    expect_same(model.run(inputs).at(0), tensor_of<float>({2}, {-1, 2}));
    model.node("Relu", {"z"}, {"q"}, "unneeded reader");
    expect_same(model.run(inputs).at(0), tensor_of<float>({2}, {-1, 2}));
    const UnneededParts removed = remove_unneeded(model.message());
    EXPECT_THAT(removed.nodes,
                ElementsAre("'a2 of foo' (Foo)", "'b2 of foo' (Foo)", "'unneeded reader' (Relu)"));
    EXPECT_TRUE(remove_unneeded(model.message()).empty());
    auto reading = choice();
    reading.output("z");
    expect_error<UnsupportedError>([&] { reading.read(); }, "Foo");
}

// y is x, doubled three times. A loop carries text, and what isn't known is joined.
ModelBuilder doubling() {
    ModelBuilder model, body;
    model.input("x", f32, {2}).output("y").initializer("three", scalar_of<std::int64_t>(3));
    add_text(model.graph(), "words");
    body.input("i", ElementType::i64, {}).input("go", ElementType::boolean, {});
    body.input("default", f32, {1}).initializer("default", tensor_of<float>({1}, {0}));
    body.input("s", f32, {2}).input("t", ElementType::i8, {});
    auto& text = *body.graph().mutable_input(4)->mutable_type()->mutable_tensor_type();
    text.set_elem_type(rondo_onnx::TensorProto::STRING);
    body.node("Identity", {"go"}, {"more"});
    body.node("Add", {"s", "s"}, {"s2"});
    body.node("Identity", {"t"}, {"t2"}, "text goes round");
    body.output("more").output("s2").output("t2");
    add_foo(body, "joined");
    model.node("Loop", {"three", "", "x", "words"}, {"y", "t_last", "joined_all"}, "loop")
        .with("body", body.graph());
    return model;
}

TEST(UnneededParts, LoopsLoseWhatGoesRoundForAnUnreadOutput) {
    auto model = doubling();
    expect_same(model.run({tensor_of<float>({2}, {1, -2})}).at(0), tensor_of<float>({2}, {8, -16}));
    const UnneededParts removed = remove_unneeded(model.message());
    EXPECT_THAT(removed.nodes,
                ElementsAre("'text goes round' (Identity)", "'joined of foo' (Foo)"));
    EXPECT_THAT(removed.initializers, ElementsAre("'default'", "'words'"));
    EXPECT_THAT(model.graph().node(0).input(), ElementsAre("three", "", "x"));
    EXPECT_THAT(model.graph().node(0).output(), ElementsAre("y"));
    EXPECT_TRUE(remove_unneeded(model.message()).empty());
}

// The condition of each iteration reads the second value, whose own output nothing reads.
TEST(UnneededParts, LoopsKeepWhatIterationsRead) {
    ModelBuilder model, body;
    model.input("x", f32, {}).output("y").initializer("five", scalar_of<std::int64_t>(5));
    model.initializer("one", scalar_of<float>(1)).initializer("two", scalar_of<float>(2));
    body.input("i", ElementType::i64, {}).input("go", ElementType::boolean, {});
    body.input("s", f32, {}).input("n", f32, {});
    body.node("Add", {"n", "one"}, {"n2"});
    body.node("Add", {"s", "s"}, {"s2"});
    body.node("Less", {"n2", "two"}, {"more"});
    body.output("more").output("s2").output("n2");
    model.node("Loop", {"five", "", "x", "x"}, {"y", ""}).with("body", body.graph());
    EXPECT_TRUE(remove_unneeded(model.message()).empty());
    expect_same(model.run({scalar_of<float>(0.5f)}).at(0), scalar_of<float>(2));
}

// y adds the rows of x up, which are joined with another sign and order in rows.
TEST(UnneededParts, ScansLoseWhatAnUnreadOutputJoins) {
    ModelBuilder model, body;
    model.input("x", f32, {3, 2}).output("y").output("rows");
    model.initializer("zero", tensor_of<float>({2}, {0, 0}));
    body.input("s", f32, {2}).input("row", f32, {2});
    body.node("Add", {"s", "row"}, {"s2"});
    body.node("Neg", {"row"}, {"minus"});
    body.output("s2");
    add_foo(body, "joined");
    body.output("minus");
    model.node("Scan", {"zero", "x"}, {"y", "unread", "rows"})
        .with("body", body.graph())
        .with("num_scan_inputs", 1)
        .with("scan_output_axes", std::vector<std::int64_t>{0, 1})
        .with("scan_output_directions", std::vector<std::int64_t>{0, 1});
    const auto outputs = model.run({tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6})});
    expect_same(outputs.at(0), tensor_of<float>({2}, {9, 12}));
    expect_same(outputs.at(1), tensor_of<float>({2, 3}, {-5, -3, -1, -6, -4, -2}));
}

TEST(UnneededParts, PortsThatDoNotFitStayForTheReader) {
    auto model = choice();
    model.graph().mutable_node(0)->add_output("one too many");
    expect_error<UnsupportedError>([&] { model.read(); }, "Foo");
    auto loop = doubling();
    loop.graph().mutable_node(0)->add_input("x");
    expect_error<UnsupportedError>([&] { loop.read(); }, "Foo");
}

TEST(UnneededParts, InputsThatNoParameterCanBeAreLeftOut) {
    auto model = negation();
    model.input("spare", f32, {1}).input("words", f32, {1});
    auto& words = *model.graph().mutable_input(2)->mutable_type()->mutable_tensor_type();
    words.set_elem_type(rondo_onnx::TensorProto::STRING);
    EXPECT_EQ(model.read()->parameters().size(), 2u);
    const UnneededParts removed = remove_unneeded(model.message());
    EXPECT_THAT(removed.inputs, ElementsAre("'words'"));
    EXPECT_EQ(text_of(removed), "left out, since no output needs them: 1 input: 'words'");
    model.graph().mutable_input(1)->mutable_type()->mutable_map_type();
    EXPECT_EQ(model.read()->parameters().size(), 1u);
    auto reading = negation();
    reading.input("words", f32, {1}).output("words");
    reading.graph().mutable_input(1)->mutable_type()->mutable_map_type();
    expect_error<UnsupportedError>([&] { reading.read(); }, "input 'words': it is not a tensor");
}

TEST(UnneededParts, FunctionsLoseTheirOwn) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y").node("Twice", {"x"}, {"y"}, "call").domain("local");
    auto& function = *model.message().add_functions();
    function.set_domain("local");
    function.set_name("Twice");
    function.add_input("a");
    function.add_output("b");
    function.add_opset_import()->set_version(17);
    const auto add = [&](const char* op, const std::string& out) {
        auto& node = *function.add_node();
        node.set_op_type(op);
        node.add_input("a");
        node.add_input("a");
        node.add_output(out);
    };
    add("Foo", "unread");
    add("Add", "b");
    expect_same(model.run({tensor_of<float>({2}, {1, -2})}).at(0), tensor_of<float>({2}, {2, -4}));
    // Nor is looked at what makes an output that no call needs.
    function.add_output("second");
    add("Bar", "second");
    model.node("Twice", {"x"}, {"", "dead"}, "dead call").domain("local");
    model.graph().mutable_node(0)->add_output("named");
    expect_same(model.run({tensor_of<float>({2}, {1, -2})}).at(0), tensor_of<float>({2}, {2, -4}));
    model.output("named");
    expect_error<UnsupportedError>([&] { model.read(); }, "1 unsupported operator: Bar (opset 17)");
}

void add_function(ModelBuilder& model, const std::string& name, const std::string& calls,
                  const std::string& op) {
    auto& function = *model.message().add_functions();
    function.set_domain("local");
    function.set_name(name);
    function.add_input("a");
    function.add_opset_import()->set_version(17);
    auto& local = *function.add_opset_import();
    local.set_domain("local");
    local.set_version(1);
    for (const char* output : {"b", "c"}) function.add_output(output);
    for (const auto& [domain, type, output] :
         {std::tuple("local", calls, "b"), std::tuple("", op, "c")}) {
        auto& node = *function.add_node();
        node.set_domain(calls.empty() ? "" : domain);
        node.set_op_type(type.empty() ? "Neg" : type);
        node.add_input("a");
        node.add_output(output);
    }
}

// The first outputs go through all functions; their second ones are made of what isn't there.
TEST(UnneededParts, FunctionsOfFunctionsLoseWhatNoCallNeeds) {
    ModelBuilder model;
    model.input("x", f32, {2}).output("y").node("Outer", {"x"}, {"y", "z"}).domain("local");
    add_function(model, "Inner", "", "Foo");
    add_function(model, "Outer", "Inner", "Bar");
    expect_same(model.run({tensor_of<float>({2}, {1, -2})}).at(0), tensor_of<float>({2}, {-1, 2}));
    model.output("z");
    expect_error<UnsupportedError>([&] { model.read(); }, "1 unsupported operator: Bar (opset 17)");
}

// Both are needed: which of them makes the tensor isn't known.
TEST(UnneededParts, NamesMadeTwiceAreStillRefused) {
    auto model = negation();
    model.node("Relu", {"x"}, {"y"}, "again");
    expect_error<ModelError>([&] { model.read(); },
                             "node 'again' (Relu): the tensor 'y' is defined twice");
}

TEST(UnneededParts, TextNamesAtMostTwentyOfEachKind) {
    UnneededParts parts;
    parts.nodes = {"'a' (Foo)", "'b' (Bar)"};
    parts.initializers = {"'w'"};
    EXPECT_EQ(text_of(parts),
              "left out, since no output needs them: 2 nodes: 'a' (Foo), 'b' (Bar); 1 "
              "initializer: 'w'");
    parts.initializers.assign(21, "'w'");
    EXPECT_THAT(text_of(parts), HasSubstr("; 21 initializers: 'w', "));
    EXPECT_THAT(text_of(parts), testing::EndsWith("'w', ..."));
}

// Collects the lines of the log while it lives.
class LogLines {
public:
    explicit LogLines(LogLevel level) : level_(log_level()) {
        set_log_level(level);
        set_log_callback([this](LogLevel, const std::string& line) { lines_.push_back(line); });
    }
    LogLines(const LogLines&) = delete;
    LogLines& operator=(const LogLines&) = delete;
    ~LogLines() {
        set_log_callback({});
        set_log_level(level_);
    }
    const std::vector<std::string>& lines() const { return lines_; }

private:
    LogLevel level_;
    std::vector<std::string> lines_;
};

TEST(UnneededParts, ALineOfTheLogNamesThem) {
    auto model = negation();
    model.node("Foo", {"x"}, {"a"}, "bar\n");
    {
        const LogLines info(LogLevel::info);
        model.read();
        EXPECT_THAT(info.lines(), ElementsAre("model.onnx: left out, since no output needs them: "
                                              "1 node: 'bar?' (Foo)"));
    }
    const LogLines warnings(LogLevel::warning);
    model.read();
    EXPECT_THAT(warnings.lines(), IsEmpty());
}

}  // namespace
}  // namespace rondo::onnx::unneeded_parts_test
