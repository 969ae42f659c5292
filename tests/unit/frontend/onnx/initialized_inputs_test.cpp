// Tests a part of frontend/onnx/graph_inputs.hpp.
#include "frontend/onnx/graph_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "rondo/rondo.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::initialized_inputs_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr ElementType f32 = ElementType::f32;
const Properties kKeep = {{property::kKeepInputs, "YES"}};
constexpr const char* kWhy =
    "'h0'; it has an initializer, so that reading made it a constant; read the model with "
    "KEEP_INPUTS=YES (rondo: --keep-inputs) to keep it an input; there are: 'x'";

// y = x + h0 + w, where h0 is an input with a default.
ModelBuilder sum() {
    ModelBuilder model;
    model.input("x", f32, {2}).input("h0", f32, {2}).output("y");
    model.initializer("h0", tensor_of<float>({2}, {10, 20}));
    model.initializer("w", tensor_of<float>({2}, {100, 200}));
    model.node("Add", {"x", "h0"}, {"s"}, "first");
    model.node("Add", {"s", "w"}, {"y"}, "second");
    return model;
}

Model read(const ModelBuilder& model, const Properties& properties = {}) {
    const std::string bytes = model.bytes();
    return Core().read_model(bytes.data(), bytes.size(), {}, properties);
}

std::vector<std::string> names_of(const std::vector<PortInfo>& ports) {
    std::vector<std::string> names;
    for (const auto& port : ports) names.push_back(port.any_name());
    return names;
}

TEST(InitializedInputs, BecomeConstantsOfWhichMessagesSpeak) {
    const Model model = read(sum());
    EXPECT_THAT(names_of(model.inputs()), ElementsAre("x"));
    EXPECT_THAT(model.constant_inputs(), ElementsAre("h0"));
    expect_error<ModelError>([&] { model.input("h0"); }, std::string("no input ") + kWhy);
    expect_error<ModelError>([&] { model.value_range("h0"); }, kWhy);
    expect_error<ModelError>([&] { model.clone().reshape({{"h0", {1}}}); }, kWhy);
    expect_error<ModelError>([&] { model.clone().make_stateful({{"h0", "y"}}); }, kWhy);
    StreamingOptions streaming;
    streaming.time_axes = {{"h0", 0}};
    expect_error<ModelError>([&] { model.clone().make_streaming(streaming); }, kWhy);
    expect_error<ModelError>([&] { model.input("w"); }, "no input 'w'; there are: 'x'");
    CompiledModel compiled = Core().compile_model(model);
    EXPECT_THAT(compiled.constant_inputs(), ElementsAre("h0"));
    expect_error<ModelError>([&] { compiled.input("h0"); }, kWhy);
    InferRequest request = compiled.create_infer_request();
    expect_error<ModelError>(
        [&] {
            request.set_tensor("h0", tensor_of<float>({2}, {1, 2}));
        },
        "no input or output 'h0'; it has an initializer, so that reading "
        "made it a constant; read the model with KEEP_INPUTS=YES");
}

TEST(InitializedInputs, StayInputsWhereThatIsWanted) {
    const Model model = read(sum(), kKeep);
    EXPECT_THAT(names_of(model.inputs()), ElementsAre("x", "h0"));
    EXPECT_THAT(model.constant_inputs(), IsEmpty());
    for (const char* device : {"CPU", "REFERENCE"}) {
        InferRequest request = Core().compile_model(model, device).create_infer_request();
        request.set_tensor("x", tensor_of<float>({2}, {1, 2}));
        expect_error<ModelError>([&] { request.infer(); }, "input 'h0'");
        request.set_tensor("h0", tensor_of<float>({2}, {3, 4}));
        request.infer();
        expect_same(request.get_tensor("y"), tensor_of<float>({2}, {104, 206}));
    }
}

TEST(InitializedInputs, StayInputsForACoreThatIsSetSo) {
    Core core;
    core.set_property("CPU", kKeep);
    const std::string bytes = sum().bytes();
    EXPECT_EQ(core.read_model(bytes.data(), bytes.size()).inputs().size(), 2u);
    const Properties no = {{property::kKeepInputs, "no"}};
    EXPECT_EQ(core.read_model(bytes.data(), bytes.size(), {}, no).inputs().size(), 1u);
    expect_error<ModelError>(
        [&] {
            core.set_property("CPU", {{property::kKeepInputs, "maybe"}});
        },
        "property 'KEEP_INPUTS': got 'maybe'");
}

// Sparse and unread ones too.
TEST(InitializedInputs, AreInputsOfWhateverForm) {
    auto model = sum();
    auto& sparse = *model.graph().add_sparse_initializer();
    *sparse.mutable_values() = test::to_message("sparse", tensor_of<float>({1}, {5}));
    model.input("sparse", f32, {2}).input("text", ElementType::i32, {1});
    auto& text = *model.graph().add_initializer();
    text.set_name("text");
    text.set_data_type(rondo_onnx::TensorProto::STRING);
    EXPECT_THAT(names_of(read(model).inputs()), ElementsAre("x"));
    EXPECT_THAT(read(model).constant_inputs(), ElementsAre("h0", "sparse", "text"));
    EXPECT_THAT(names_of(read(model, kKeep).inputs()), ElementsAre("x", "h0", "sparse", "text"));
}

// Then all initializers had to be among the inputs, and onnxruntime lets none be replaced.
TEST(InitializedInputs, OfOldFilesAreConstants) {
    auto model = sum();
    model.input("w", f32, {2});
    model.message().set_ir_version(3);
    for (const Properties& properties : {Properties(), kKeep}) {
        EXPECT_THAT(names_of(read(model, properties).inputs()), ElementsAre("x"));
        EXPECT_THAT(read(model, properties).constant_inputs(), IsEmpty());
    }
}

TEST(InitializedInputs, AreRememberedInFilesAndByReshape) {
    const test::TemporaryFolder folder;
    Model model = read(sum());
    model.reshape({{"x", {1}}});
    EXPECT_THAT(model.constant_inputs(), ElementsAre("h0"));
    for (const char* name : {"m.xml", "m.onnx"}) {
        const std::string path = folder / name;
        save_model(read(sum()), path);
        expect_error<ModelError>([&] { Core().read_model(path).input("h0"); }, kWhy);
    }
}

TEST(InitializedInputs, HaveEntriesOfTheirOwnInTheModelCache) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "m.onnx";
    std::ofstream(path, std::ios::binary) << sum().bytes();
    Properties properties = {{property::kCacheDir, folder / "cache"}};
    for (int round = 0; round < 2; ++round) {
        properties[property::kKeepInputs] = "NO";
        const auto compiled = Core().compile_model(path, "CPU", properties);
        EXPECT_EQ(compiled.inputs().size(), 1u);
        EXPECT_EQ(compiled.get_property(property::kLoadedFromCache), round > 0 ? "YES" : "NO");
        expect_error<ModelError>([&] { compiled.input("h0"); }, kWhy);
        properties[property::kKeepInputs] = "YES";
        EXPECT_EQ(Core().compile_model(path, "CPU", properties).inputs().size(), 2u);
    }
}

TEST(InitializedInputs, OfBodiesAreConstants) {
    ModelBuilder model, yes;
    yes.input("w", f32, {1}).initializer("w", tensor_of<float>({1}, {7})).output("w");
    model.input("c", ElementType::boolean, {}).output("y");
    model.node("If", {"c"}, {"y"})
        .with("then_branch", yes.graph())
        .with("else_branch", yes.graph());
    EXPECT_THAT(names_of(read(model, kKeep).inputs()), ElementsAre("c"));
}

}  // namespace
}  // namespace rondo::onnx::initialized_inputs_test
