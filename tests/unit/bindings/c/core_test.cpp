#include "rondo/c/core.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/files/temporary_folder.hpp"
#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::core_test {
namespace {

TEST(CCore, SaysWhatIsWrongWithAModel) {
    const auto core = make_core();
    auto* model = reinterpret_cast<rondo_model_t*>(std::uintptr_t{1});
    expect_status(rondo_core_read_model(core.get(), "/nowhere.onnx", nullptr, &model),
                  RONDO_MODEL_ERROR, "/nowhere.onnx: can't read the file");
    EXPECT_EQ(model, nullptr);
    expect_status(rondo_core_read_model_from_memory(core.get(), "noise", 5, nullptr, &model),
                  RONDO_MODEL_ERROR, "not a model in a known format");
    expect_status(rondo_core_read_model_from_memory(core.get(), "", 0, nullptr, &model),
                  RONDO_MODEL_ERROR, "empty");
    expect_status(rondo_core_read_model(core.get(), kDetector.c_str(), "/no.bin", &model),
                  RONDO_MODEL_ERROR, "/no.bin");
}

TEST(CCore, SaysWhatIsWrongWithDevicesAndProperties) {
    const auto core = make_core();
    rondo_compiled_model_t* compiled = nullptr;
    const auto compile = [&](const char* device, const rondo_property_t* properties,
                             std::size_t n) {
        return rondo_core_compile_model_from_file(core.get(), kDetector.c_str(), device, properties,
                                                  n, &compiled);
    };
    expect_status(compile("NPU", nullptr, 0), RONDO_MODEL_ERROR, "unknown device 'NPU'");
    const rondo_property_t wrong{"NUM_STREAM", "1"};
    expect_status(compile("CPU", &wrong, 1), RONDO_MODEL_ERROR, "'NUM_STREAMS'");
    const rondo_property_t f16{"INFERENCE_PRECISION_HINT", "f16"};
    expect_status(compile("CPU", &f16, 1), RONDO_UNSUPPORTED, "'f16'");
    const rondo_property_t twice[] = {{"PERF_COUNT", "NO"}, {"PERF_COUNT", "YES"}};
    expect_status(compile("CPU", twice, 2), RONDO_INVALID_ARGUMENT, "'PERF_COUNT' is named twice");
    const rondo_property_t empty{"PERF_COUNT", nullptr};
    expect_status(compile("CPU", &empty, 1), RONDO_INVALID_ARGUMENT, "'value' is NULL");
    expect_status(compile("CPU", nullptr, 1), RONDO_INVALID_ARGUMENT, "'properties' is NULL");
    EXPECT_EQ(compiled, nullptr);
    char* value = nullptr;
    expect_status(rondo_core_get_property(core.get(), "CPU", "MOOD", &value), RONDO_MODEL_ERROR,
                  "'MOOD'");
    expect_status(rondo_core_set_property(core.get(), "NPU", nullptr, 0), RONDO_MODEL_ERROR, "NPU");
}

using Rows = std::unique_ptr<rondo_node_support_list_t, Freer<rondo_node_support_list_free>>;

TEST(CCore, SaysWhichNodesCanBeRead) {
    const auto core = make_core();
    rondo_node_support_list_t* list = nullptr;
    expect_ok(rondo_core_query_model(core.get(), kDetector.c_str(), nullptr, 0, &list));
    const Rows rows(list);
    ASSERT_GT(rondo_node_support_list_size(rows.get()), 1u);
    const rondo_node_support_t* first = rondo_node_support_list_at(rows.get(), 0);
    EXPECT_STREQ(first->op_type, "Parameter");
    EXPECT_EQ(first->supported, 1);
    EXPECT_STREQ(first->reason, "");
    EXPECT_EQ(rondo_node_support_list_at(rows.get(), 1000), nullptr);
    EXPECT_EQ(rondo_node_support_list_size(nullptr), 0u);
    expect_status(rondo_core_query_model(core.get(), "/nowhere.onnx", nullptr, 0, &list),
                  RONDO_MODEL_ERROR, "/nowhere.onnx");
    EXPECT_EQ(list, nullptr);
}

TEST(CCore, TakesMessagesWithTheirFiles) {
    const auto core = make_core();
    const std::string path =
        std::string(RONDO_SOURCE_DIR) + "/docs/samples/digits/digits_lstm.onnx";
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto weights = make_tensor({4}, RONDO_U8);
    const rondo_named_tensor_t named{"weights", weights.get()};
    const rondo_onnx_message_t message{bytes.data(), bytes.size(), &named, 1};
    rondo_node_support_list_t* list = nullptr;
    expect_ok(rondo_core_query_message(core.get(), &message, nullptr, 0, &list));
    const Rows rows(list);
    for (std::size_t i = 0; i < rondo_node_support_list_size(list); ++i) {
        EXPECT_EQ(rondo_node_support_list_at(list, i)->supported, 1);
    }
    rondo_model_t* handle = nullptr;
    expect_ok(rondo_core_read_message(core.get(), &message, nullptr, 0, &handle));
    const ModelHandle model(handle);
    const rondo_property_t limit{"MAX_NODES", "1"};
    expect_status(rondo_core_read_message(core.get(), &message, &limit, 1, &handle),
                  RONDO_UNSUPPORTED, "MAX_NODES");
    const rondo_onnx_message_t no_files{bytes.data(), bytes.size(), nullptr, 1};
    expect_status(rondo_core_read_message(core.get(), &no_files, nullptr, 0, &handle),
                  RONDO_INVALID_ARGUMENT, "'message->files' is NULL");
    const rondo_onnx_message_t nothing{nullptr, 0, nullptr, 0};
    expect_status(rondo_core_read_message(core.get(), &nothing, nullptr, 0, &handle),
                  RONDO_INVALID_ARGUMENT, "'message->data' is NULL");
}

TEST(CCore, SetsTheDefaultNumberOfThreads) {
    expect_ok(rondo_set_default_threads(3));
    char* value = nullptr;
    expect_ok(rondo_compiled_model_get_property(compile_detector().get(), "INFERENCE_NUM_THREADS",
                                                &value));
    EXPECT_STREQ(value, "3");
    rondo_string_free(value);
    expect_status(rondo_set_default_threads(5000), RONDO_MODEL_ERROR, "got 5000 threads");
    expect_ok(rondo_set_default_threads(0));
}

TEST(CCore, OtherNamesOfTheCpuHaveItsVersion) {
    const auto core = make_core();
    for (const char* device : {"CPU", "AUTO", "CPU.0", ""}) {
        char *number = nullptr, *description = nullptr;
        expect_ok(rondo_core_get_version(core.get(), device, &number, &description));
        EXPECT_STREQ(number, rondo_version());
        rondo_string_free(number);
        rondo_string_free(description);
    }
}

TEST(CCore, TheModelCacheServesTheSecondTime) {
    const auto core = make_core();
    const TemporaryFolder folder;
    const rondo_property_t cache{"CACHE_DIR", folder.path().c_str()};
    for (const std::string expected : {"NO", "YES"}) {
        rondo_compiled_model_t* compiled = nullptr;
        expect_ok(rondo_core_compile_model_from_file(core.get(), kDetector.c_str(), "CPU", &cache,
                                                     1, &compiled));
        char* value = nullptr;
        expect_ok(rondo_compiled_model_get_property(compiled, "LOADED_FROM_CACHE", &value));
        EXPECT_EQ(value, expected);
        rondo_string_free(value);
        rondo_compiled_model_free(compiled);
    }
}

TEST(CCore, RefusesOptionsWithoutTheirSize) {
    const auto core = make_core();
    const auto model = read_detector(core);
    rondo_transform_options_t options{};
    expect_status(rondo_core_transform(core.get(), model.get(), &options), RONDO_INVALID_ARGUMENT,
                  "RONDO_TRANSFORM_OPTIONS_INIT");
}

TEST(CCore, ShowsThePasses) {
    const auto core = make_core();
    const auto model = read_detector(core);
    std::string printed;
    rondo_transform_options_t options = RONDO_TRANSFORM_OPTIONS_INIT;
    options.print = [](const char* text, void* all) {
        static_cast<std::string*>(all)->append(text).append("\n");
    };
    options.user_data = &printed;
    expect_ok(rondo_core_transform(core.get(), model.get(), &options));
    EXPECT_NE(printed, "");
    options.stop_after = "no_such_pass";
    expect_status(rondo_core_transform(core.get(), model.get(), &options), RONDO_MODEL_ERROR,
                  "no_such_pass");
}

}  // namespace
}  // namespace rondo::test::core_test
