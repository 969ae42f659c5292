// Models that people use, over chunks of any length: the bits of one call, or of a call a frame.
#include <string>
#include <utility>
#include <vector>

#include "core/graph/rt_info_keys.hpp"
#include "rondo/core.hpp"
#include "tests/support/models.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::real_models_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr std::size_t kFrames = 24;

Model model_of(const std::string& name) {
    return Core().read_model(*models_dir() + "/" + name + "/model.onnx");
}

// Frames where the streaming model has them; zeros for states.
std::vector<Tensor> inputs_of(const Graph& streaming) {
    std::vector<Tensor> inputs;
    Rng rng(19);
    for (const NodePtr& parameter : streaming.parameters()) {
        const auto axis = parameter->rt_info().find(kTimeAxis);
        PartialShape shape = parameter->output_shape(0);
        if (axis == parameter->rt_info().end()) {
            inputs.emplace_back(parameter->output_type(0), shape.to_shape());
            continue;
        }
        shape[std::stoul(axis->second)] = kFrames;
        inputs.push_back(random_tensor(parameter->output_type(0), shape.to_shape(), rng));
    }
    EXPECT_TRUE(streaming.results()[0]->rt_info().contains(kTimeAxis));
    return inputs;
}

// The original with the time axes of the other, to be run frame by frame.
std::shared_ptr<Graph> marked(const Graph& original, const Graph& streaming) {
    auto graph = original.clone();
    for (std::size_t i = 0; i < graph->parameters().size(); ++i) {
        graph->parameters()[i]->rt_info() = streaming.parameters()[i]->rt_info();
    }
    for (std::size_t i = 0; i < graph->results().size(); ++i) {
        graph->results()[i]->rt_info() = streaming.results()[i]->rt_info();
    }
    return graph;
}

void expect_equal_chunks(const Graph& streaming, const std::vector<Tensor>& inputs,
                         const std::vector<Tensor>& expected,
                         const std::vector<Feedback>& feedback) {
    Rng rng = test_rng();
    for (const std::size_t length :
         {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{0}, kFrames}) {
        SCOPED_TRACE("chunks of " + std::to_string(length));
        const auto actual =
            run_in_chunks(streaming, "CPU", inputs, chunks_of(kFrames, length, rng), feedback);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            SCOPED_TRACE("output " + std::to_string(i));
            expect_same(actual[i], expected[i]);
        }
    }
}

struct Case {
    const char* name;
    StreamingOptions options = {};
    std::vector<Feedback> feedback = {};
};

void PrintTo(const Case& model, std::ostream* out) { *out << model.name; }

class RealStreams : public testing::TestWithParam<Case> {};

TEST_P(RealStreams, GiveTheSameBits) {
    if (!models_dir()) GTEST_SKIP() << kNoModels;
    const Case& test = GetParam();
    const Model original = model_of(test.name);
    const Model streaming = original.clone();
    Model(streaming).make_streaming(test.options);
    const Graph& graph = *streaming.graph();
    const auto inputs = inputs_of(graph);
    const bool by_frames = !test.options.time_axes.empty();
    const auto expected = by_frames
                              ? run_in_chunks(*marked(*original.graph(), graph), "CPU", inputs,
                                              std::vector<std::size_t>(kFrames, 1), test.feedback)
                              : run_whole(*original.graph(), "CPU", inputs);
    expect_equal_chunks(graph, inputs, expected, test.feedback);
}

// The states are those of the file's inputs and outputs, in their order.
INSTANTIATE_TEST_SUITE_P(
    , RealStreams,
    testing::Values(
        Case{"dfn3_enc"}, Case{"dfn3_erb_dec"}, Case{"dfn3_df_dec"},
        Case{"fw_silero_vad_v6", {}, {{1, 1}, {2, 2}}},
        Case{"dtln_1", {{{"input_2", 1}}}, {{1, 1}}},
        Case{"dtln_pytorch_p1", {{{"mag", 1}}}, {{1, 1, 0}, {2, 1, 1}, {3, 1, 2}, {4, 1, 3}}},
        Case{"dtln_pytorch_p2", {{{"y1", 2}}}, {{1, 1, 0}, {2, 1, 1}, {3, 1, 2}, {4, 1, 3}}},
        Case{"gtcrn_simple", {{{"mix", 2}}}, {{1, 1}, {2, 2}, {3, 3}}}),
    [](const auto& info) { return std::string(info.param.name); });

// The states as variables instead of inputs and outputs.
std::shared_ptr<Graph> with_variables(const Graph& original, const std::vector<Feedback>& pairs) {
    const auto graph = original.clone();
    std::vector<NodePtr> parameters = graph->parameters();
    std::vector<NodePtr> results = graph->results();
    std::vector<NodePtr> sinks;
    for (const auto& [input, output, row] : pairs) {
        const NodePtr parameter = std::exchange(parameters[input], nullptr);
        const NodePtr result = std::exchange(results[output], nullptr);
        const auto read =
            make_node<ops::ReadValue>(std::vector<Output>(), parameter->name(),
                                      parameter->output_type(0), parameter->output_shape(0));
        read->set_name(parameter->name() + "/read");
        parameter->output(0).replace_with(read);
        sinks.push_back(make_node<ops::Assign>(result->input(0), parameter->name()));
        sinks.back()->set_name(parameter->name() + "/assign");
    }
    std::erase(parameters, nullptr);
    std::erase(results, nullptr);
    return std::make_shared<Graph>("stateful", parameters, results, sinks);
}

TEST(RealStatefulStreams, GiveTheSameBits) {
    if (!models_dir()) GTEST_SKIP() << kNoModels;
    const Case cases[] = {{"dtln_1", {{{"input_2", 1}}}, {{1, 1}}},
                          {"gtcrn_simple", {{{"mix", 2}}}, {{1, 1}, {2, 2}, {3, 3}}}};
    for (const auto& [name, options, pairs] : cases) {
        SCOPED_TRACE(name);
        const auto original = with_variables(*model_of(name).graph(), pairs);
        const auto streaming = original->clone();
        Model(streaming).make_streaming(options);
        EXPECT_EQ(streaming->sinks().size(), pairs.size());
        const auto inputs = inputs_of(*streaming);
        const auto expected = run_in_chunks(*marked(*original, *streaming), "CPU", inputs,
                                            std::vector<std::size_t>(kFrames, 1));
        expect_equal_chunks(*streaming, inputs, expected, {});
    }
}

struct Refused {
    const char* name;
    StreamingOptions options;
    const char* reason;
};

TEST(RefusedStreams, NameTheNodeThatNeedsTheFuture) {
    if (!models_dir()) GTEST_SKIP() << kNoModels;
    const Refused models[] = {
        {"anr_encoder", {}, "(GRU, as GRUSequence): runs from the last frame"},
        {"hama_encoder", {}, "(Conv, as GroupConvolution): reads 2 frames of the future"},
        {"vietocr_encoder", {}, "(GRU, as GRUSequence): runs from the last frame"},
        {"appledashboard_lstm",
         {{{"bidirectional_input", 1}}},
         "(LSTM, as LSTMSequence): runs from the"},
        {"silero_vad_v4", {}, "(If): needs all frames at once"},
        {"silero_vad_openvino_16k",
         {{{"input", 1}}},
         "(Conv, as Convolution): takes steps of 128 frames"},
    };
    for (const Refused& model : models) {
        expect_error<UnsupportedError>([&] { model_of(model.name).make_streaming(model.options); },
                                       model.reason);
    }
}

}  // namespace
}  // namespace rondo::real_models_test
