#include "rondo/c/compiled_model.h"

#include <cstring>

#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::compiled_model_test {
namespace {

using KernelListHandle = std::unique_ptr<rondo_kernel_list_t, Freer<rondo_kernel_list_free>>;

TEST(CCompiledModel, FindsPortsByName) {
    const auto compiled = compile_detector();
    std::size_t index = 9;
    expect_ok(rondo_compiled_model_find_input(compiled.get(), "c", &index));
    EXPECT_EQ(index, 2u);
    expect_ok(rondo_compiled_model_find_output(compiled.get(), "h_out", &index));
    EXPECT_EQ(index, 1u);
    expect_status(rondo_compiled_model_find_input(compiled.get(), "score", &index),
                  RONDO_MODEL_ERROR, "'audio'");
    EXPECT_EQ(index, 0u);
}

TEST(CCompiledModel, ReadsProperties) {
    const auto compiled = compile_detector();
    char* value = nullptr;
    expect_ok(rondo_compiled_model_get_property(compiled.get(), "NETWORK_NAME", &value));
    EXPECT_STREQ(value, "detector");
    rondo_string_free(value);
    expect_status(rondo_compiled_model_get_property(compiled.get(), "COLOUR", &value),
                  RONDO_MODEL_ERROR, "NETWORK_NAME");
    EXPECT_EQ(value, nullptr);
}

// The list outlives the compiled model, whose handle is freed.
TEST(CCompiledModel, ListsKernelsWithReasons) {
    rondo_kernel_list_t* made = nullptr;
    expect_ok(rondo_compiled_model_kernels(compile_detector().get(), &made));
    const KernelListHandle kernels(made);
    int layers = 0;
    for (std::size_t i = 0; i < rondo_kernel_list_size(kernels.get()); ++i) {
        const rondo_kernel_info_t* kernel = rondo_kernel_list_at(kernels.get(), i);
        EXPECT_STRNE(kernel->reason, "") << kernel->node_name;
        if (std::strcmp(kernel->node_type, "LSTMSequence") != 0) continue;
        ++layers;
        EXPECT_STREQ(kernel->node_name, "LSTM_0");
        EXPECT_EQ(std::strncmp(kernel->kernel, "lstm_", 5), 0) << kernel->kernel;
    }
    EXPECT_EQ(layers, 1);
    EXPECT_EQ(rondo_kernel_list_at(kernels.get(), rondo_kernel_list_size(kernels.get())), nullptr);
}

TEST(CCompiledModel, CountsInferences) {
    const auto compiled = compile_detector();
    rondo_infer_request_t* made = nullptr;
    expect_ok(rondo_compiled_model_create_infer_request(compiled.get(), &made));
    const std::unique_ptr<rondo_infer_request_t, Freer<rondo_infer_request_free>> request(made);
    EXPECT_NE(rondo_infer_request_infer(request.get()), RONDO_OK);  // no input is set
    rondo_metrics_info_t* info = nullptr;
    expect_ok(rondo_compiled_model_metrics(compiled.get(), &info));
    EXPECT_EQ(info->inferences, 0u);
    EXPECT_EQ(info->latency_histogram_size, 0u);
    rondo_metrics_info_free(info);
    rondo_metrics_info_free(nullptr);
}

TEST(CCompiledModel, TheGraphThatRunsCanBeCompiled) {
    rondo_model_t* made = nullptr;
    expect_ok(rondo_compiled_model_runtime_model(compile_detector().get(), &made));
    const ModelHandle model(made);
    rondo_compiled_model_t* again = nullptr;
    expect_ok(
        rondo_core_compile_model(make_core().get(), model.get(), "REFERENCE", nullptr, 0, &again));
    rondo_compiled_model_free(again);
}

}  // namespace
}  // namespace rondo::test::compiled_model_test
