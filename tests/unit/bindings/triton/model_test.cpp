// Loading models: files, parameters, and configurations that are completed, checked or refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/source_dir.hpp"
#include "tests/unit/bindings/triton/models.hpp"

namespace rondo::test::triton::model_test {
namespace {

using Json = nlohmann::json;
using Pairs = std::vector<std::pair<std::string, std::string>>;

Json completed(const ModelFolder& folder, const std::string& config) {
    const StubModel model("completed", folder.path(), {config});
    EXPECT_EQ(model.error(), "");
    return Json::parse(model.config());
}

void expect_refused(const ModelFolder& folder, const ModelPlan& plan, TRITONSERVER_Error_Code code,
                    const std::string& text) {
    const StubModel model("refused", folder.path(), plan);
    EXPECT_NE(model.error().find(text), std::string::npos)
        << "'" << model.error() << "' lacks '" << text << "'";
    EXPECT_EQ(model.code(), code) << model.error();
}

Json entry(const char* name, const Json& dims, const char* type = "TYPE_FP32") {
    return {{"name", name}, {"data_type", type}, {"dims", dims}};
}

TEST(TritonModel, CompletesStreams) {
    const auto folder = ModelFolder::with_detector();
    const Json config = completed(folder, config_with({{"stateful", "auto"}, {"max_batch", "32"}}));
    EXPECT_EQ(config["max_batch_size"], 32);
    EXPECT_EQ(config["input"], Json::array({entry("audio", {-1, 16})}));
    EXPECT_EQ(config["output"], Json::array({entry("score", {-1, 1})}));
    EXPECT_FALSE(config.contains("dynamic_batching"));
}

TEST(TritonModel, CompletesStreamsOfOneRow) {
    const auto folder = ModelFolder::with_detector();
    const Json config = completed(folder, config_with({{"stateful", "auto"}, {"batch", "none"}}));
    EXPECT_EQ(config["max_batch_size"], 0);
    EXPECT_EQ(config["input"], Json::array({entry("audio", {1, -1, 16})}));
}

TEST(TritonModel, CompletesStatelessModels) {
    const auto folder = ModelFolder::with_detector();
    const Json as_it_is = completed(folder, config_with({}));
    EXPECT_EQ(as_it_is["max_batch_size"], 0);
    EXPECT_EQ(as_it_is["input"][0], entry("audio", {1, -1, 16}));
    EXPECT_EQ(as_it_is["output"].size(), 3u);
    EXPECT_FALSE(as_it_is.contains("dynamic_batching"));
    const Json open = completed(folder, config_with({{"batch", "?"}}));
    EXPECT_EQ(open["max_batch_size"], 64);
    EXPECT_EQ(open["input"][1], entry("h", {1, 24}));
    EXPECT_TRUE(open.contains("dynamic_batching"));
}

TEST(TritonModel, KeepsTheScheduler) {
    const auto folder = ModelFolder::with_detector();
    const Json config =
        completed(folder, config_with({{"batch", "?"}}, R"("sequence_batching":{"oldest":{}})"));
    EXPECT_FALSE(config.contains("dynamic_batching"));
}

TEST(TritonModel, AddsABatchAxis) {
    const auto folder = ModelFolder::with_detector();
    const Json config = completed(folder, config_with({{"stateful", "auto"}, {"batch_axis", "?"}}));
    EXPECT_EQ(config["max_batch_size"], 64);
    EXPECT_EQ(config["input"], Json::array({entry("audio", {1, -1, 16})}));
}

TEST(TritonModel, WritesScalarsAsReshapes) {
    const auto folder = ModelFolder::with(decay_model());
    const Json config = completed(folder, config_with({{"stateful", "s:s_out"}}));
    EXPECT_EQ(config["max_batch_size"], 64);
    Json scale = entry("scale", {1});
    scale["reshape"] = {{"shape", Json::array()}};
    EXPECT_EQ(config["input"], Json::array({entry("x", {3}), scale}));
    EXPECT_EQ(config["output"], Json::array({entry("y", {3})}));
}

TEST(TritonModel, KeepsWhatTheConfigurationLists) {
    const auto folder = ModelFolder::with_detector();
    Json config = Json::parse(config_with({{"stateful", "auto"}}));
    config["input"] = Json::array({entry("audio", {1, 8, 16})});
    const Json result = completed(folder, config.dump());
    EXPECT_EQ(result["max_batch_size"], 0);
    EXPECT_EQ(result["input"], config["input"]);
    EXPECT_EQ(result["output"], Json::array({entry("score", {1, -1, 1})}));
}

TEST(TritonModel, TakesACompleteConfiguration) {
    const auto folder = ModelFolder::with_detector();
    Json config = Json::parse(config_with({{"stateful", "auto"}}));
    config["max_batch_size"] = 8;
    config["input"] = Json::array({entry("audio", {-1, 16})});
    config["output"] = Json::array({entry("score", {-1, 1})});
    ModelPlan plan{config.dump()};
    plan.completes = false;
    StubModel model("complete", folder.path(), plan);
    EXPECT_EQ(model.error(), "");
    EXPECT_EQ(model.config(), config.dump());
    const auto answer = model.infer(step_of(std::uint64_t{1}, frames(3, 1), kStart));
    EXPECT_EQ(answer->values("score"), Alone().score(frames(3, 1)));
}

TEST(TritonModel, RefusesConfigurationsThatDiffer) {
    const auto folder = ModelFolder::with_detector();
    const auto refused = [&](const Json& input, int batch, const std::string& text) {
        Json config = Json::parse(config_with({{"stateful", "auto"}}));
        config["max_batch_size"] = batch;
        config["input"] = Json::array({input});
        expect_refused(folder, {config.dump()}, TRITONSERVER_ERROR_INVALID_ARG, text);
    };
    refused(entry("audoi", {1, -1, 16}), 0, "did you mean 'audio'?");
    refused(entry("audio", {1, -1, 16}, "TYPE_INT8"), 0,
            "'audio' is TYPE_INT8; the model has TYPE_FP32");
    refused(entry("audio", {1, -1, 17}), 0, "[1,-1,17]; the model's shape is [?,?,16]");
    refused(entry("audio", {16}), 8, "[16] and a batch axis in front");
    refused(entry("h", {1, 1, 24}), 0, "no input 'h'");
    Json config = Json::parse(config_with({}));
    config["input"] = Json::array({entry("audio", {1, -1, 16})});
    expect_refused(folder, {config.dump()}, TRITONSERVER_ERROR_INVALID_ARG,
                   "lacks the model's input 'h'");
}

TEST(TritonModel, RefusesABatchThatTheModelHasNot) {
    const auto folder = ModelFolder::with_detector();
    Json config = Json::parse(config_with({}));
    config["max_batch_size"] = 8;
    expect_refused(folder, {config.dump()}, TRITONSERVER_ERROR_UNSUPPORTED,
                   "max_batch_size is 8, but requests can't be joined: its batch isn't open");
    // The same where the server doesn't ask for a completed configuration.
    config["input"] =
        Json::array({entry("audio", {-1, 16}), entry("h", {1, 24}), entry("c", {1, 24})});
    config["output"] = Json::array({entry("score", {-1, 1})});
    ModelPlan plan{config.dump()};
    plan.completes = false;
    expect_refused(folder, plan, TRITONSERVER_ERROR_UNSUPPORTED, "requests can't be joined");
}

TEST(TritonModel, RefusesImplicitStates) {
    const auto folder = ModelFolder::with_detector();
    const std::string states =
        R"("sequence_batching":{"state":[{"input_name":"h","output_name":"h_out"}]})";
    expect_refused(folder, {config_with({}, states)}, TRITONSERVER_ERROR_UNSUPPORTED,
                   "Rondo keeps the states of sequences itself");
}

TEST(TritonModel, RefusesParameters) {
    const auto folder = ModelFolder::with_detector();
    const auto refused = [&](const char* name, const char* value, const std::string& text) {
        expect_refused(folder, {config_with({{name, value}})}, TRITONSERVER_ERROR_INVALID_ARG,
                       text);
    };
    refused("max_bach", "8", "unknown parameter 'max_bach'; did you mean 'max_batch'?");
    refused("max_batch", "many", "'max_batch' is 'many'; expected a number");
    refused("max_batch", "1234567890123", "expected a number");
    refused("max_delay", "5", "expected a time with its unit");
    refused("idle_timeout", "5h", "expected a time with its unit");
    refused("overflow", "wait", "expected reject, block or drop_oldest");
    refused("open_on_demand", "maybe", "expected YES or NO");
    refused("batch", "8", "expected auto, ? or none");
    refused("batch_axis", "0", "expected ? or none");
    refused("stateful", "q:h_out", "'q:h_out' doesn't begin with an input");
    refused("stateful", "h:nothing", "nothing");
    refused("streaming", "audio:x", "'audio:x' is not INPUT:AXIS");
    expect_refused(folder, {config_with({{"precision", "f64"}})}, TRITONSERVER_ERROR_UNSUPPORTED,
                   "got 'f64'");
    refused("PERF_COUNT", "PERHAPS", "PERF_COUNT");
    refused("NETWORK_NAME", "x", "unknown parameter 'NETWORK_NAME'");
}

TEST(TritonModel, PassesPropertiesOn) {
    const auto folder = ModelFolder::with_detector();
    const Pairs all = {{"threads", "1"},         {"precision", "f32"},      {"deadline", "20ms"},
                       {"idle_timeout", "5min"}, {"max_streams", "7"},      {"queue_limit", "3"},
                       {"overflow", "block"},    {"open_on_demand", "YES"}, {"stateful", "auto"},
                       {"max_delay", "100us"},   {"MAX_NODES", "10000"},    {"TRITON_X", "y"}};
    const StubModel model("properties", folder.path(), {config_with(all)});
    EXPECT_EQ(model.error(), "");
    expect_refused(folder, {config_with({{"MAX_NODES", "2"}})}, TRITONSERVER_ERROR_UNSUPPORTED,
                   "the limit is 2");
}

TEST(TritonModel, RefusesInstances) {
    const auto folder = ModelFolder::with_detector();
    ModelPlan gpu{config_with({})};
    gpu.kind = TRITONSERVER_INSTANCEGROUPKIND_GPU;
    expect_refused(folder, gpu, TRITONSERVER_ERROR_UNSUPPORTED, "KIND_CPU");
    ModelPlan two{config_with({{"stateful", "auto"}})};
    two.instances = 2;
    expect_refused(folder, two, TRITONSERVER_ERROR_UNSUPPORTED, "count: 1");
    two.config = config_with({});
    EXPECT_EQ(StubModel("two", folder.path(), two).error(), "");
}

TEST(TritonModel, SaysWhichFilesThereAre) {
    const ModelFolder empty;
    expect_refused(empty, {}, TRITONSERVER_ERROR_INVALID_ARG, "the folder is empty");
    std::ofstream(empty.version() + "/weights.pt") << "x";
    expect_refused(empty, {}, TRITONSERVER_ERROR_INVALID_ARG,
                   "no model.onnx, model.xml or model.rondo; there are: 'weights.pt'");
    expect_refused(empty, {R"({"default_model_filename":"net.onnx"})"},
                   TRITONSERVER_ERROR_INVALID_ARG, "there is no net.onnx");
    const auto folder = ModelFolder::with_detector();
    std::ofstream(folder.version() + "/model.onnx") << "noise";
    expect_refused(folder, {}, TRITONSERVER_ERROR_INVALID_ARG, "set default_model_filename");
    EXPECT_EQ(
        StubModel("named", folder.path(), {R"({"default_model_filename":"model.xml"})"}).error(),
        "");
    expect_refused(folder, {R"({"default_model_filename":"model.onnx"})"},
                   TRITONSERVER_ERROR_INVALID_ARG, "model.onnx");
}

TEST(TritonModel, TakesExportedModels) {
    const auto detector = ModelFolder::with_detector();
    const Core core;
    Model model = core.read_model(detector.version() + "/model.xml");
    model.make_stateful();
    model.set_batch(-1);
    const ModelFolder folder;
    {
        std::ofstream file(folder.version() + "/model.rondo", std::ios::binary);
        core.compile_model(model).export_model(file);
    }
    ModelPlan plan{R"({"default_model_filename":"model.rondo"})"};
    StubModel served("exported", folder.path(), plan);
    ASSERT_EQ(served.error(), "");
    EXPECT_EQ(Json::parse(served.config())["input"], Json::array({entry("audio", {-1, 16})}));
    const auto answer = served.infer(step_of(std::uint64_t{1}, frames(3, 1), kStart));
    EXPECT_EQ(answer->values("score"), Alone().score(frames(3, 1)));
    expect_refused(folder, {config_with({{"stateful", "auto"}})}, TRITONSERVER_ERROR_UNSUPPORTED,
                   "an exported model can't be changed any more");
}

TEST(TritonModel, TakesOnnx) {
    if (!RONDO_READS_ONNX) GTEST_SKIP() << "built without ONNX";
    const std::string digits = RONDO_SOURCE_DIR "/docs/samples/digits/digits_lstm.onnx";
    const ModelFolder file;
    std::filesystem::copy_file(digits, file.version() + "/model.onnx");
    const ModelFolder folder;  // with its external data, as for onnxruntime
    std::filesystem::create_directory(folder.version() + "/model.onnx");
    std::filesystem::copy_file(digits, folder.version() + "/model.onnx/model.onnx");
    for (const ModelFolder* one : {&file, &folder}) {
        const Json config = completed(*one, config_with({}));
        EXPECT_EQ(config["max_batch_size"], 64);
        EXPECT_EQ(config["input"], Json::array({entry("pixels", {8, 8})}));
    }
}

TEST(TritonModel, RefusesWhatIsNoConfiguration) {
    const auto folder = ModelFolder::with_detector();
    expect_refused(folder, {R"({"parameters":{"threads":{"string_value":7}}})"},
                   TRITONSERVER_ERROR_INVALID_ARG, "the model's configuration");
}

}  // namespace
}  // namespace rondo::test::triton::model_test
