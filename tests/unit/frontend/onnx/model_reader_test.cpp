#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/onnx/onnx.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::model_reader_test {
namespace {

using test::expect_error;
using test::ModelBuilder;
using test::read_bytes;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(const ModelBuilder& model) {
    try {
        model.read();
    } catch (const UnsupportedError& error) {
        return error.what();
    }
    return "read without an error";
}

ModelBuilder relu_model(std::int64_t opset = 17) {
    ModelBuilder model(opset);
    model.input("x", ElementType::f32, {2}).output("y").node("Relu", {"x"}, {"y"});
    return model;
}

TEST(OnnxModelReader, ReadsAModel) {
    test::expect_same(relu_model().run({test::tensor_of<float>({2}, {-1, 2})}).at(0),
                      test::tensor_of<float>({2}, {0, 2}));
}

TEST(OnnxModelReader, RefusesAnEmptyFile) {
    expect_error<ModelError>([] { read_bytes(""); }, "model.onnx: the file is empty");
}

// Every cut must end in one of our errors, whatever the parser thinks of it.
TEST(OnnxModelReader, RefusesTruncatedFiles) {
    const std::string bytes = relu_model().bytes();
    expect_error<ModelError>([&] { read_bytes(bytes.substr(0, bytes.size() / 2)); },
                             "model.onnx: can't be parsed as an ONNX model: truncated or corrupt");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(read_bytes(bytes.substr(0, size)), ModelError) << size;
    }
}

TEST(OnnxModelReader, SurvivesFlippedBytes) {
    auto rng = test::test_rng();
    const std::string bytes = relu_model().bytes();
    for (int i = 0; i < 3000; ++i) {
        std::string broken = bytes;
        for (int k = 0; k < 3; ++k) {
            const auto at = static_cast<std::size_t>(
                test::uniform_int(rng, 0, static_cast<std::int64_t>(bytes.size()) - 1));
            broken[at] = static_cast<char>(test::uniform_int(rng, 0, 255));
        }
        try {
            read_bytes(broken);
        } catch (const ModelError&) {
        } catch (const UnsupportedError&) {
        }
    }
}

TEST(OnnxModelReader, RefusesWhatProtobufCantHold) {
    const char byte = '\x08';
    ModelSource source;
    source.path = "huge.onnx";
    source.data = reinterpret_cast<const std::byte*>(&byte);
    source.size = std::size_t{3} << 30;  // of which nothing is looked at
    expect_error<ModelError>([&] { read(source); },
                             "huge.onnx: the file has 3221225472 bytes; expected less than 2 GiB");
}

// Messages inside messages, as graphs inside attributes: past protobuf's limit of 100.
TEST(OnnxModelReader, RefusesDeepNesting) {
    ModelBuilder model;
    rondo_onnx::GraphProto* graph = &model.graph();
    for (int i = 0; i < 200; ++i) {
        auto& attribute = *graph->add_node()->add_attribute();
        attribute.set_type(rondo_onnx::AttributeProto::GRAPH);
        graph = attribute.mutable_g();
    }
    expect_error<ModelError>([&] { model.read(); }, "truncated or corrupt");
}

TEST(OnnxModelReader, PrintsNothing) {
    testing::internal::CaptureStderr();
    expect_error<ModelError>([] { read_bytes("\x08\x07\x3a\x7f"); }, "truncated or corrupt");
    expect_error<ModelError>([] { read_bytes(std::string(100, '\xff')); }, "truncated or corrupt");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(OnnxModelReader, RefusesAModelWithoutGraphOrOpset) {
    rondo_onnx::ModelProto empty;
    empty.set_ir_version(8);
    expect_error<ModelError>([&] { read_bytes(empty.SerializeAsString()); },
                             "model.onnx: the ONNX model holds no graph");
    auto model = relu_model();
    model.message().clear_opset_import();
    expect_error<ModelError>([&] { model.read(); }, "model.onnx: the model has no opset_import");
}

TEST(OnnxModelReader, SaysTheModelWhereThereIsNoPath) {
    expect_error<ModelError>([] { read_bytes("", ""); }, "the model: the file is empty");
}

// Fields that came after the packaged onnx.proto, such as a node's metadata_props, say nothing that
// changes the answer.
TEST(OnnxModelReader, SkipsUnknownFields) {
    auto model = relu_model();
    std::string bytes = model.bytes();
    bytes +=
        "\xaa\x06\x03"
        "new";  // field 101, three bytes
    EXPECT_NO_THROW(read_bytes(bytes));
}

TEST(OnnxModelReader, ReadsEveryOpsetUpToTheNewest) {
    for (std::int64_t opset = 7; opset <= 26; ++opset) EXPECT_NO_THROW(relu_model(opset).read());
}

TEST(OnnxModelReader, NamesAllUnsupportedOperatorsAtOnce) {
    ModelBuilder model(16);
    model.input("x", ElementType::f32, {2}).output("c").output("a2");
    model.node("Strange", {"x"}, {"a"});
    model.node("Odd", {"a"}, {"b"});
    model.node("Strange", {"x"}, {"a2"}, "again");
    model.node("Foo", {"b"}, {"c"}).domain("com.microsoft");
    auto& import = *model.message().add_opset_import();
    import.set_domain("com.microsoft");
    import.set_version(1);
    expect_error<UnsupportedError>(
        [&] { model.read(); },
        "model.onnx: 3 unsupported operators: Odd (opset 16) at node 'the_Odd', Strange (opset 16) "
        "at 2 nodes, the first 'the_Strange' (did you mean 'Range'?), com.microsoft.Foo (opset 1) "
        "at node 'the_Foo'; "
        "docs/onnx_operators.md lists those that are read");
}

TEST(OnnxModelReader, NamesUnsupportedFeaturesBesideTheOperators) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("c").output("d").output("t");
    model.node("Strange", {"x"}, {"a"});
    model.node("Gelu", {"a"}, {"b"}, "behind").domain("org.example");
    model.node("Relu", {"b"}, {"c"}, "far behind");
    model.node("Constant", {}, {"s"}, "text").with("value_string", "abc");
    model.node("Constant", {}, {"t"}, "more text").with("value_string", "abc");
    model.node("Identity", {"s"}, {"d"}, "reader");
    const std::string message = refusal_of(model);
    EXPECT_THAT(message, StartsWith("model.onnx: 2 unsupported operators: Strange (opset 17) at "
                                    "node 'the_Strange' (did you mean 'Range'?), "
                                    "org.example.Gelu (its domain has no "
                                    "opset_import) at node 'behind'; "));
    EXPECT_THAT(message, HasSubstr("; 2 unsupported features: node 'text' (Constant): "));
    EXPECT_THAT(message, HasSubstr("; node 'more text' (Constant): "));
    EXPECT_THAT(message, EndsWith("; not looked at: 2 nodes that hang on these"));
}

TEST(OnnxModelReader, SaysOfOneFeatureJustThat) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("d");
    model.node("Constant", {}, {"s"}, "text").with("value_string", "abc");
    model.node("Identity", {"s"}, {"d"}, "reader");
    EXPECT_THAT(refusal_of(model), StartsWith("model.onnx: node 'text' (Constant): "));
}

TEST(OnnxModelReader, NamesFeaturesOfBodiesOnce) {
    ModelBuilder yes, no, model;
    yes.node("Constant", {}, {"a"}, "text").with("value_string", "abc");
    yes.output("a");
    no.node("Relu", {"x"}, {"b"}, "fine");
    no.output("b");
    model.input("c", ElementType::boolean, {}).input("x", ElementType::f32, {1});
    model.node("If", {"c"}, {"y"}).with("then_branch", yes.graph()).with("else_branch", no.graph());
    model.node("Relu", {"y"}, {"z"});
    model.node("Constant", {}, {"u"}, "outer").with("value_string", "abc");
    model.output("z").output("u");
    const std::string message = refusal_of(model);
    EXPECT_THAT(message, StartsWith("model.onnx: 2 unsupported features: "));
    EXPECT_THAT(message, HasSubstr("node 'text' (Constant): "));
    EXPECT_THAT(message, HasSubstr("; node 'outer' (Constant): "));
    EXPECT_THAT(message, EndsWith("; not looked at: 1 node that hangs on these"));
}

TEST(OnnxModelReader, NamesInputsAndInitializersBesideTheNodes) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("y");
    model.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
        rondo_onnx::TensorProto::STRING);
    auto* text = model.graph().add_initializer();
    text->set_name("s");
    text->set_data_type(rondo_onnx::TensorProto::STRING);
    model.node("Add", {"x", "s"}, {"y"});
    const std::string message = refusal_of(model);
    EXPECT_THAT(message, HasSubstr("2 unsupported features: tensor 's': "));
    EXPECT_THAT(message, HasSubstr("; input 'x': "));
}

TEST(OnnxModelReader, SaysWhereADomainIsntImported) {
    auto model = relu_model();
    model.output("z").node("Bar", {"x"}, {"z"}).domain("org.example");
    expect_error<UnsupportedError>(
        [&] { model.read(); },
        "1 unsupported operator: org.example.Bar (its domain has no opset_import) at node "
        "'the_Bar'");
}

TEST(OnnxModelReader, RefusesAnOperatorOlderThanItsConverter) {
    ModelBuilder model(11);
    model.input("x", ElementType::f32, {2}).output("y").node("Celu", {"x"}, {"y"});
    EXPECT_EQ(refusal_of(model),
              "model.onnx: 1 unsupported operator: Celu (opset 11) at node 'the_Celu' (read from "
              "opset 12 on)");
}

TEST(OnnxModelReader, SaysWhichOperatorWasMeant) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2}).output("y").node("LeakyReLu6", {"x"}, {"y"}, "act");
    EXPECT_EQ(refusal_of(model),
              "model.onnx: 1 unsupported operator: LeakyReLu6 (opset 17) at node 'act' (did you "
              "mean 'LeakyRelu'?)");
}

}  // namespace
}  // namespace rondo::onnx::model_reader_test
