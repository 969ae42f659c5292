// Sessions of a host with the plugin.
#include "tests/unit/bindings/onnxruntime/stub/host_session.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "tests/unit/bindings/onnxruntime/models.hpp"

namespace rondo::test::onnxruntime_session_test {
namespace {

using ort::HostSession;
using ort::SessionError;
using testing::ElementsAre;
using testing::HasSubstr;

void expect_alone(const ModelBuilder& model, const HostSession& session, const Tensors& inputs) {
    const auto expected = run_alone(model, inputs);
    for (const auto& [name, value] : session.run(inputs)) expect_same(value, expected.at(name));
}

class OnnxruntimeSession : public testing::Test {
protected:
    void SetUp() override { ort::host_state() = {}; }
    void TearDown() override { ort::host_state() = {}; }
};

// divided_model() with an operator in place of Twice that Rondo has.
ModelBuilder whole_model() {
    auto model = divided_model();
    for (auto& node : *model.graph().mutable_node()) {
        if (node.op_type() != "Twice") continue;
        node.set_op_type("Add");
        node.clear_domain();
        node.add_input("z");
    }
    return model;
}

TEST_F(OnnxruntimeSession, RunsAWholeGraphWithRondosBits) {
    const auto model = lstm_model();
    HostSession session(model);
    EXPECT_THAT(session.operators(), ElementsAre("Rondo"));
    EXPECT_TRUE(session.has_logged("runs 3 of 3 nodes of graph"));
    for (const std::size_t steps : {5, 1, 9, 5}) {
        expect_alone(model, session, {{"x", sequence(steps, 2)}});
    }
}

// Constants that are large enough to be borrowed: two are packed, one is read as it is.
ModelBuilder model_with_table(const std::string& reader) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {Dimension(), 1, 4});
    Rng rng(5);
    model.initializer("table", random_tensor(ElementType::f32, {8192, 32}, rng));
    model.initializer("wide", random_tensor(ElementType::f32, {4, 1 << 16}, rng, -1e-3, 1e-3));
    model.initializer("narrow", random_tensor(ElementType::f32, {1 << 16, 4}, rng, -1e-2, 1e-2));
    model.node("MatMul", {"x", "wide"}, {"large"});
    model.node("MatMul", {"large", "narrow"}, {"input"});
    add_lstm(model, "input", "y", "layer");
    model.node("ReduceMax", {"y"}, {"top"}).with("keepdims", 1);
    model.node("Cast", {"top"}, {"row"}).with("to", 7);
    model.node(reader, {"table", reader == "Add" ? "top" : "row"}, {"out"});
    model.output("out");
    return model;
}

TEST_F(OnnxruntimeSession, KeepsWeightsThatTheHostFrees) {
    for (const std::string reader : {"Gather", "Add"}) {
        const auto model = model_with_table(reader);
        HostSession session(model);
        EXPECT_THAT(session.operators(), ElementsAre("Rondo"));
        // That an Add reads it turns out when it is compiled.
        EXPECT_EQ(session.has_logged("kernels read as they are: 'table'"), reader == "Add");
        expect_alone(model, session, {{"x", sequence(3, 1)}});
    }
}

TEST_F(OnnxruntimeSession, TakesWhatSurroundsLayers) {
    HostSession session(divided_model());
    EXPECT_THAT(session.operators(), ElementsAre("Rondo", "Twice", "Rondo"));
    EXPECT_TRUE(session.has_logged("leaves node 'the_Twice' (Twice)"));
    const Tensors inputs{{"x", sequence(4, 2)}};
    const auto expected = run_alone(whole_model(), inputs);
    expect_near(session.run(inputs).at("out"), expected.at("out"), 1e-6);
}

TEST_F(OnnxruntimeSession, TakesAStepThatIsWrittenOut) {
    auto model = lstm_step_model();
    Rng rng(4);
    Tensors inputs{{"x", random_tensor(ElementType::f32, {1, 4}, rng)}};
    for (const auto* state : {"h", "c"}) {
        inputs[state] = random_tensor(ElementType::f32, {1, 8}, rng);
    }
    HostSession session(model);
    EXPECT_THAT(session.operators(), ElementsAre("Rondo"));
    expect_alone(model, session, inputs);
    const auto alone = HostSession(model, {{"partition", "recurrent"}}).operators();
    EXPECT_EQ(alone.size(), static_cast<std::size_t>(model.graph().node_size()));

    // The same operators, but no cell: the gate that forgets is left out.
    for (auto& node : *model.graph().mutable_node()) {
        if (node.output(0) == "kept") node.set_input(0, "c");
    }
    HostSession left(model);
    EXPECT_EQ(left.operators(), alone);
    EXPECT_TRUE(left.has_logged("no step of a recurrent layer is in it"));
}

TEST_F(OnnxruntimeSession, TakesNothingWithoutALayerUnlessItIsAskedTo) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {2});
    model.node("Identity", {"x"}, {"out"});
    model.output("out");
    EXPECT_THAT(HostSession(model).operators(), ElementsAre("Identity"));
    HostSession whole(model, {{"partition", "whole"}});
    EXPECT_THAT(whole.operators(), ElementsAre("Rondo"));
    expect_same(whole.run({{"x", tensor_of<float>({2}, {1, 2})}}).at("out"),
                tensor_of<float>({2}, {1, 2}));
}

TEST_F(OnnxruntimeSession, TakesAsItsOptionSays) {
    const std::vector<std::string> alone{"LSTM", "Squeeze", "Twice", "LSTM", "Relu"};
    HostSession none(divided_model(), {{"partition", "none"}});
    EXPECT_EQ(none.operators(), alone);
    HostSession whole(divided_model(), {{"partition", "whole"}});
    EXPECT_EQ(whole.operators(), alone);
    HostSession parts(lstm_model(), {{"partition", "recurrent"}});
    EXPECT_THAT(parts.operators(), ElementsAre("Rondo"));
}

Tensors branching_inputs(bool choice) {
    Rng rng(3);
    return {{"x", sequence(3, 2)},
            {"other", random_tensor(ElementType::f32, {3, 2, 8}, rng)},
            {"choice", scalar_of<bool>(choice)}};
}

TEST_F(OnnxruntimeSession, TakesABodyWhoseNodeItCannotTake) {
    HostSession session(branching_model(false));
    EXPECT_THAT(session.operators(), ElementsAre("If"));
    EXPECT_THAT(session.operators("then_branch"), ElementsAre("Rondo"));
    EXPECT_THAT(session.operators("else_branch"), ElementsAre("Twice"));
    const auto inputs = branching_inputs(true);
    expect_same(session.run(inputs).at("out"), run_alone(branching_model(true), inputs).at("out"));
    EXPECT_EQ(session.run(branching_inputs(false)).at("out").data<float>()[0],
              2 * branching_inputs(false).at("other").data<float>()[0]);
}

TEST_F(OnnxruntimeSession, TakesANodeWithABodyThatItHasTakenBefore) {
    const auto model = branching_model(true);
    HostSession session(model);
    EXPECT_THAT(session.operators(), ElementsAre("Rondo"));
    expect_alone(model, session, branching_inputs(true));
    expect_alone(model, session, branching_inputs(false));
}

// As onnxruntime does if they are in a file.
TEST_F(OnnxruntimeSession, TakesANodeWhoseBodyDoesNotGetItsConstants) {
    ort::host_state().hides_outer = true;
    const auto model = branching_model(true);
    HostSession session(model);
    EXPECT_THAT(session.operators(), ElementsAre("Rondo"));
    for (const bool choice : {true, false}) {
        expect_alone(model, session, branching_inputs(choice));
    }
    HostSession left(branching_model(false));
    EXPECT_THAT(left.operators("then_branch"), ElementsAre("LSTM", "Squeeze"));
    EXPECT_TRUE(left.has_logged("constant 'layer_W' has no value here"));
}

// Two branches of which all names are the same, and only the weights differ.
TEST_F(OnnxruntimeSession, TellsBodiesOfTheSameNamesApart) {
    const auto branch = [](double greatest) {
        ModelBuilder body;
        Rng rng(7);
        body.initializer("W", random_tensor(ElementType::f32, {1, 32, 4}, rng, 0, greatest));
        body.initializer("R", lstm_weights(8));
        body.node("LSTM", {"x", "W", "R"}, {"y", "", ""}).with("hidden_size", 8);
        body.output("y");
        return body.graph();
    };
    ModelBuilder model;
    model.input("x", ElementType::f32, {Dimension(), Dimension(), 4});
    model.input("choice", ElementType::boolean, Shape{});
    model.node("If", {"choice"}, {"out"})
        .with("then_branch", branch(0.1))
        .with("else_branch", branch(0.9));
    model.output("out");
    ort::host_state().version = "1.26.0";  // which lets no If with such bodies be taken
    ort::host_state().taken = 1;
    const HostSession session(model);
    EXPECT_THAT(session.operators("then_branch"), ElementsAre("LSTM"));
    EXPECT_THAT(session.operators("else_branch"), ElementsAre("Rondo"));
    const Tensors inputs{{"x", sequence(3, 2)}, {"choice", scalar_of<bool>(false)}};
    expect_same(session.run(inputs).at("out"), run_alone(model, inputs).at("out"));
}

TEST_F(OnnxruntimeSession, LeavesNodesWhoseBodiesWouldLackValues) {
    ort::host_state().version = "1.25.1";
    HostSession session(branching_model(true));
    EXPECT_THAT(session.operators(), ElementsAre("If"));
    EXPECT_THAT(session.operators("then_branch"), ElementsAre("Rondo"));
    EXPECT_TRUE(session.has_logged("only bodies use value"));
    const auto inputs = branching_inputs(true);
    expect_same(session.run(inputs).at("out"), run_alone(branching_model(true), inputs).at("out"));
}

TEST_F(OnnxruntimeSession, LeavesBodiesOfTheOldestRelease) {
    ort::host_state().version = "1.23.2";
    HostSession session(branching_model(true));
    EXPECT_THAT(session.operators("then_branch"), ElementsAre("LSTM", "Squeeze"));
    EXPECT_THAT(HostSession(lstm_model()).operators(), ElementsAre("Rondo"));
    ModelBuilder plain;
    plain.input("x", ElementType::f32, {2});
    plain.node("Identity", {"x"}, {"out"});
    plain.output("out");
    EXPECT_THAT(HostSession(plain, {{"partition", "whole"}}).operators(), ElementsAre("Identity"));
}

TEST_F(OnnxruntimeSession, PassesAttributesOfAllKinds) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {Dimension(), 1, 4});
    model.initializer("W", lstm_weights(4));
    model.initializer("R", lstm_weights(8));
    model.node("LSTM", {"x", "W", "R"}, {"y", "", ""})
        .with("hidden_size", 8)
        .with("clip", 0.5F)
        .with("activations", std::vector<std::string>{"HardSigmoid", "Tanh", "Affine"})
        .with("activation_alpha", std::vector<float>{0.3F, 0.9F})
        .with("activation_beta", std::vector<float>{0.4F, 0.1F})
        .with("direction", "forward");
    model.node("ConstantOfShape", {"shape"}, {"more"})
        .with("value", tensor_of<float>({1}, {0.25F}));
    model.initializer("shape", tensor_of<std::int64_t>({1}, {8}));
    model.node("Transpose", {"y"}, {"turned"}).with("perm", std::vector<std::int64_t>{1, 0, 2, 3});
    model.node("Add", {"turned", "more"}, {"out"});
    model.output("out");
    HostSession session(model);
    EXPECT_THAT(session.operators(), ElementsAre("Rondo"));
    expect_alone(model, session, {{"x", sequence(3, 1)}});
}

TEST_F(OnnxruntimeSession, LeavesANodeWhoseAttributesItCannotRead) {
    auto model = lstm_model();
    model.node("Identity", {"out"}, {"more"});
    auto& node = *model.graph().mutable_node(model.graph().node_size() - 1);
    auto& attribute = *node.add_attribute();
    attribute.set_name("type");
    attribute.set_type(rondo_onnx::AttributeProto::SPARSE_TENSOR);
    model.output("more");
    const HostSession session(model);
    EXPECT_THAT(session.operators(), ElementsAre("Rondo", "Identity"));
}

TEST_F(OnnxruntimeSession, KeepsInputsThatHaveDefaults) {
    auto model = lstm_model();
    model.input("layer_R", ElementType::f32, {1, 32, 8});
    HostSession session(model);
    EXPECT_THAT(session.operators(), ElementsAre("Rondo"));
    const Tensors inputs{{"x", sequence(3, 2)}, {"layer_R", lstm_weights(8)}};
    const auto expected = run_alone(lstm_model(), {{"x", sequence(3, 2)}});
    expect_near(session.run(inputs).at("out"), expected.at("out"), 1e-6);
}

TEST_F(OnnxruntimeSession, TakesScalars) {
    ModelBuilder model;
    model.input("x", ElementType::f32, {Dimension(), 1, 4});
    model.input("factor", ElementType::f32, Shape{});
    add_lstm(model, "x", "y", "layer");
    model.node("Mul", {"y", "factor"}, {"out"});
    model.output("out");
    for (const auto* version : {"1.32.0", "1.23.2"}) {
        ort::host_state().version = version;
        HostSession session(model);
        EXPECT_THAT(session.operators(), ElementsAre("Rondo")) << version;
        expect_alone(model, session, {{"x", sequence(3, 1)}, {"factor", scalar_of<float>(3)}});
    }
}

TEST_F(OnnxruntimeSession, LeavesTextsAndValuesThatAreNoTensors) {
    auto model = lstm_model();
    model.input("text", ElementType::u8, {1});
    model.graph().mutable_input(1)->mutable_type()->mutable_tensor_type()->set_elem_type(8);
    model.node("StringNormalizer", {"text"}, {"other_text"});
    model.graph().mutable_node()->SwapElements(0, 3);
    HostSession session(model);
    EXPECT_THAT(session.operators(), testing::Contains("StringNormalizer"));
    EXPECT_THAT(session.operators(), testing::Contains("Rondo"));
    EXPECT_TRUE(session.has_logged("value 'text' is a tensor of texts"));

    auto lists = lstm_model();
    lists.node("SequenceConstruct", {"out"}, {"sequence"});
    lists.node("SequenceAt", {"sequence", "axis"}, {"last"});
    lists.output("last");
    HostSession parts(lists, {{"partition", "recurrent"}});
    EXPECT_THAT(parts.operators(), ElementsAre("Rondo", "SequenceConstruct", "SequenceAt"));
}

TEST_F(OnnxruntimeSession, RunsOnManyThreads) {
    const auto model = lstm_model();
    HostSession session(model, {{"num_threads", "1"}});
    std::vector<std::thread> threads;
    std::vector<Tensor> results(8 * 20);
    for (std::size_t i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            for (std::size_t k = 0; k < 20; ++k) {
                const auto seed = static_cast<int>(i * 20 + k);
                results[i * 20 + k] = session.run({{"x", sequence(1 + k % 5, 2, seed)}}).at("out");
            }
        });
    }
    for (auto& thread : threads) thread.join();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto x = sequence(1 + i % 20 % 5, 2, static_cast<int>(i));
        expect_same(results[i], run_alone(model, {{"x", x}}).at("out"));
    }
}

TEST_F(OnnxruntimeSession, ReportsInputsThatDontFit) {
    const auto model = lstm_model();
    HostSession session(model);
    Rng rng(1);
    const auto wide = random_tensor(ElementType::f32, {2, 2, 5}, rng);
    try {
        session.run({{"x", wide}});
        FAIL();
    } catch (const SessionError& error) {
        EXPECT_THAT(error.what(), HasSubstr("RondoExecutionProvider: "));
        EXPECT_THAT(error.what(), HasSubstr("[2,2,5]"));
    }
    expect_alone(model, session, {{"x", sequence(3, 2)}});  // the session goes on
}

// Each function of the host that may fail, while a session is made: the session says so, or does
// without the plugin.
TEST_F(OnnxruntimeSession, SurvivesFaultsOfTheHost) {
    const auto model = branching_model(true);
    for (const auto* function : {"GetValueInfoName",
                                 "GetValueInfoTypeInfo",
                                 "GetOnnxTypeFromTypeInfo",
                                 "CastTypeInfoToTensorInfo",
                                 "GetTensorElementType",
                                 "GetDimensionsCount",
                                 "GetDimensions",
                                 "GetSymbolicDimensions",
                                 "ValueInfo_GetInitializerValue",
                                 "ValueInfo_IsConstantInitializer",
                                 "ValueInfo_IsFromOuterScope",
                                 "Graph_GetName",
                                 "Graph_GetNumOperatorSets",
                                 "Graph_GetOperatorSets",
                                 "Graph_GetNumInputs",
                                 "Graph_GetInputs",
                                 "Graph_GetNumOutputs",
                                 "Graph_GetOutputs",
                                 "Graph_GetNumInitializers",
                                 "Graph_GetInitializers",
                                 "Graph_GetNumNodes",
                                 "Graph_GetNodes",
                                 "Graph_GetParentNode",
                                 "Node_GetId",
                                 "Node_GetName",
                                 "Node_GetOperatorType",
                                 "Node_GetDomain",
                                 "Node_GetNumInputs",
                                 "Node_GetInputs",
                                 "Node_GetNumOutputs",
                                 "Node_GetOutputs",
                                 "Node_GetNumImplicitInputs",
                                 "Node_GetImplicitInputs",
                                 "Node_GetNumSubgraphs",
                                 "Node_GetSubgraphs",
                                 "Node_GetNumAttributes",
                                 "Node_GetAttributes",
                                 "OpAttr_GetType",
                                 "OpAttr_GetName",
                                 "ReadOpAttr",
                                 "GetTensorTypeAndShape",
                                 "GetTensorElementTypeAndShapeDataReference",
                                 "GetTensorSizeInBytes",
                                 "GetTensorData",
                                 "GetSessionOptionsConfigEntries",
                                 "CreateEpDevice",
                                 "EpGraphSupportInfo_AddNodesToFuse",
                                 "Graph_GetModelMetadata",
                                 "ModelMetadataGetGraphName",
                                 "Logger_LogMessage",
                                 "Logger_GetLoggingSeverityLevel"}) {
        for (const int after : {0, 1, 3}) {
            ort::host_state().faults = {function, after};
            try {
                const HostSession session(model);
            } catch (const SessionError& error) {
                EXPECT_THAT(error.what(), HasSubstr(function));
            }
        }
    }
}

void expect_reported(const std::vector<std::string>& functions) {
    const auto model = lstm_model();
    HostSession session(model);
    for (const auto& function : functions) {
        ort::host_state().faults = {function, 0};
        EXPECT_THROW(session.run({{"x", sequence(2, 1)}}), SessionError) << function;
        ort::host_state().faults = {};
        expect_alone(model, session, {{"x", sequence(2, 1)}});
    }
}

TEST_F(OnnxruntimeSession, ReportsFaultsOfTheHostInARun) {
    expect_reported({"KernelContext_GetInput", "KernelContext_GetOutput", "GetTensorMutableData",
                     "GetTensorElementTypeAndShapeDataReference", "GetTensorData"});
    ort::host_state().version = "1.23.2";
    expect_reported(
        {"GetTensorTypeAndShape", "GetTensorElementType", "GetDimensionsCount", "GetDimensions"});
}

}  // namespace
}  // namespace rondo::test::onnxruntime_session_test
