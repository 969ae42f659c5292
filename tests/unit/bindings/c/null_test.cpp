// NULL for every pointer that a function of the C API needs, and for every handle to free.
#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::null_test {
namespace {

struct Call {
    const char* name;
    rondo_status_t (*call)();
};

// Every function that returns a status, with NULL for every pointer.
const Call kCalls[] = {
    {"rondo_compiled_model_create_infer_request",
     [] { return rondo_compiled_model_create_infer_request(nullptr, nullptr); }},
    {"rondo_compiled_model_create_stream_pool",
     [] { return rondo_compiled_model_create_stream_pool(nullptr, nullptr, nullptr); }},
    {"rondo_compiled_model_find_input",
     [] { return rondo_compiled_model_find_input(nullptr, nullptr, nullptr); }},
    {"rondo_compiled_model_find_output",
     [] { return rondo_compiled_model_find_output(nullptr, nullptr, nullptr); }},
    {"rondo_compiled_model_get_property",
     [] { return rondo_compiled_model_get_property(nullptr, nullptr, nullptr); }},
    {"rondo_compiled_model_inputs", [] { return rondo_compiled_model_inputs(nullptr, nullptr); }},
    {"rondo_compiled_model_kernels", [] { return rondo_compiled_model_kernels(nullptr, nullptr); }},
    {"rondo_compiled_model_metrics", [] { return rondo_compiled_model_metrics(nullptr, nullptr); }},
    {"rondo_compiled_model_outputs", [] { return rondo_compiled_model_outputs(nullptr, nullptr); }},
    {"rondo_compiled_model_runtime_model",
     [] { return rondo_compiled_model_runtime_model(nullptr, nullptr); }},
    {"rondo_core_compile_model",
     [] { return rondo_core_compile_model(nullptr, nullptr, nullptr, nullptr, 1, nullptr); }},
    {"rondo_core_compile_model_from_file",
     [] {
         return rondo_core_compile_model_from_file(nullptr, nullptr, nullptr, nullptr, 1, nullptr);
     }},
    {"rondo_core_create", [] { return rondo_core_create(nullptr); }},
    {"rondo_core_get_available_devices",
     [] { return rondo_core_get_available_devices(nullptr, nullptr); }},
    {"rondo_core_get_property",
     [] { return rondo_core_get_property(nullptr, nullptr, nullptr, nullptr); }},
    {"rondo_core_get_version",
     [] { return rondo_core_get_version(nullptr, nullptr, nullptr, nullptr); }},
    {"rondo_core_query_message",
     [] { return rondo_core_query_message(nullptr, nullptr, nullptr, 1, nullptr); }},
    {"rondo_core_query_model",
     [] { return rondo_core_query_model(nullptr, nullptr, nullptr, 1, nullptr); }},
    {"rondo_core_read_message",
     [] { return rondo_core_read_message(nullptr, nullptr, nullptr, 1, nullptr); }},
    {"rondo_core_read_model",
     [] { return rondo_core_read_model(nullptr, nullptr, nullptr, nullptr); }},
    {"rondo_core_read_model_from_memory",
     [] { return rondo_core_read_model_from_memory(nullptr, nullptr, 1, nullptr, nullptr); }},
    {"rondo_core_register_plugin",
     [] { return rondo_core_register_plugin(nullptr, nullptr, nullptr); }},
    {"rondo_core_set_property",
     [] { return rondo_core_set_property(nullptr, nullptr, nullptr, 1); }},
    {"rondo_core_transform", [] { return rondo_core_transform(nullptr, nullptr, nullptr); }},
    {"rondo_element_type_from_name", [] { return rondo_element_type_from_name(nullptr, nullptr); }},
    {"rondo_infer_request_cancel", [] { return rondo_infer_request_cancel(nullptr); }},
    {"rondo_infer_request_get_input_tensor",
     [] { return rondo_infer_request_get_input_tensor(nullptr, 1, nullptr); }},
    {"rondo_infer_request_get_output_tensor",
     [] { return rondo_infer_request_get_output_tensor(nullptr, 1, nullptr); }},
    {"rondo_infer_request_get_profiling_info",
     [] { return rondo_infer_request_get_profiling_info(nullptr, nullptr); }},
    {"rondo_infer_request_get_tensor",
     [] { return rondo_infer_request_get_tensor(nullptr, nullptr, nullptr); }},
    {"rondo_infer_request_infer", [] { return rondo_infer_request_infer(nullptr); }},
    {"rondo_infer_request_query_state",
     [] { return rondo_infer_request_query_state(nullptr, nullptr); }},
    {"rondo_infer_request_reset_state", [] { return rondo_infer_request_reset_state(nullptr); }},
    {"rondo_infer_request_set_callback",
     [] { return rondo_infer_request_set_callback(nullptr, nullptr, nullptr); }},
    {"rondo_infer_request_set_input_tensor",
     [] { return rondo_infer_request_set_input_tensor(nullptr, 1, nullptr); }},
    {"rondo_infer_request_set_output_allocator",
     [] { return rondo_infer_request_set_output_allocator(nullptr, nullptr, nullptr); }},
    {"rondo_infer_request_set_output_tensor",
     [] { return rondo_infer_request_set_output_tensor(nullptr, 1, nullptr); }},
    {"rondo_infer_request_set_tensor",
     [] { return rondo_infer_request_set_tensor(nullptr, nullptr, nullptr); }},
    {"rondo_infer_request_start_async", [] { return rondo_infer_request_start_async(nullptr); }},
    {"rondo_infer_request_wait", [] { return rondo_infer_request_wait(nullptr); }},
    {"rondo_infer_request_wait_for",
     [] { return rondo_infer_request_wait_for(nullptr, 1, nullptr); }},
    {"rondo_model_apply_low_latency", [] { return rondo_model_apply_low_latency(nullptr, 1); }},
    {"rondo_model_clone", [] { return rondo_model_clone(nullptr, nullptr); }},
    {"rondo_model_find_input", [] { return rondo_model_find_input(nullptr, nullptr, nullptr); }},
    {"rondo_model_find_output", [] { return rondo_model_find_output(nullptr, nullptr, nullptr); }},
    {"rondo_model_inputs", [] { return rondo_model_inputs(nullptr, nullptr); }},
    {"rondo_model_make_stateful", [] { return rondo_model_make_stateful(nullptr, nullptr, 1); }},
    {"rondo_model_name", [] { return rondo_model_name(nullptr, nullptr); }},
    {"rondo_model_nodes", [] { return rondo_model_nodes(nullptr, nullptr); }},
    {"rondo_model_outputs", [] { return rondo_model_outputs(nullptr, nullptr); }},
    {"rondo_model_quantize", [] { return rondo_model_quantize(nullptr, nullptr, nullptr); }},
    {"rondo_model_reshape", [] { return rondo_model_reshape(nullptr, nullptr, 1); }},
    {"rondo_model_save", [] { return rondo_model_save(nullptr, nullptr, 0); }},
    {"rondo_model_save_with", [] { return rondo_model_save_with(nullptr, nullptr, nullptr); }},
    {"rondo_model_to_text", [] { return rondo_model_to_text(nullptr, nullptr); }},
    {"rondo_model_value_range",
     [] { return rondo_model_value_range(nullptr, nullptr, nullptr, nullptr, nullptr); }},
    {"rondo_stream_cancel", [] { return rondo_stream_cancel(nullptr); }},
    {"rondo_stream_close", [] { return rondo_stream_close(nullptr); }},
    {"rondo_stream_fork", [] { return rondo_stream_fork(nullptr, nullptr); }},
    {"rondo_stream_infer", [] { return rondo_stream_infer(nullptr, nullptr, 1, nullptr); }},
    {"rondo_stream_infer_named",
     [] { return rondo_stream_infer_named(nullptr, nullptr, 1, nullptr); }},
    {"rondo_stream_is_open", [] { return rondo_stream_is_open(nullptr, nullptr); }},
    {"rondo_stream_load_state", [] { return rondo_stream_load_state(nullptr, nullptr); }},
    {"rondo_stream_pool_close", [] { return rondo_stream_pool_close(nullptr); }},
    {"rondo_stream_pool_open", [] { return rondo_stream_pool_open(nullptr, nullptr, nullptr); }},
    {"rondo_stream_pool_stats", [] { return rondo_stream_pool_stats(nullptr, nullptr); }},
    {"rondo_stream_pool_warm_up", [] { return rondo_stream_pool_warm_up(nullptr, nullptr, 1); }},
    {"rondo_stream_push", [] { return rondo_stream_push(nullptr, nullptr, 1, nullptr); }},
    {"rondo_stream_push_named",
     [] { return rondo_stream_push_named(nullptr, nullptr, 1, nullptr); }},
    {"rondo_stream_push_named_with_callback",
     [] {
         return rondo_stream_push_named_with_callback(nullptr, nullptr, 1, nullptr, nullptr,
                                                      nullptr);
     }},
    {"rondo_stream_push_with_callback",
     [] {
         return rondo_stream_push_with_callback(nullptr, nullptr, 1, nullptr, nullptr, nullptr);
     }},
    {"rondo_stream_reset", [] { return rondo_stream_reset(nullptr); }},
    {"rondo_stream_save_state", [] { return rondo_stream_save_state(nullptr, nullptr); }},
    {"rondo_stream_set_state", [] { return rondo_stream_set_state(nullptr, nullptr, 1); }},
    {"rondo_stream_state", [] { return rondo_stream_state(nullptr, nullptr); }},
    {"rondo_stream_step_cancel", [] { return rondo_stream_step_cancel(nullptr); }},
    {"rondo_stream_step_get_output_tensor",
     [] { return rondo_stream_step_get_output_tensor(nullptr, 1, nullptr); }},
    {"rondo_stream_step_get_tensor",
     [] { return rondo_stream_step_get_tensor(nullptr, nullptr, nullptr); }},
    {"rondo_stream_step_is_done", [] { return rondo_stream_step_is_done(nullptr, nullptr); }},
    {"rondo_stream_step_wait", [] { return rondo_stream_step_wait(nullptr); }},
    {"rondo_stream_step_wait_for", [] { return rondo_stream_step_wait_for(nullptr, 1, nullptr); }},
    {"rondo_tensor_byte_size", [] { return rondo_tensor_byte_size(nullptr, nullptr); }},
    {"rondo_tensor_contiguous", [] { return rondo_tensor_contiguous(nullptr, nullptr); }},
    {"rondo_tensor_converted",
     [] { return rondo_tensor_converted(nullptr, RONDO_F32, nullptr, nullptr); }},
    {"rondo_tensor_copy_to", [] { return rondo_tensor_copy_to(nullptr, nullptr); }},
    {"rondo_tensor_create", [] { return rondo_tensor_create(RONDO_F32, nullptr, 1, nullptr); }},
    {"rondo_tensor_create_borrowed",
     [] { return rondo_tensor_create_borrowed(RONDO_F32, nullptr, 1, nullptr, nullptr, nullptr); }},
    {"rondo_tensor_create_with_release",
     [] {
         return rondo_tensor_create_with_release(RONDO_F32, nullptr, 1, nullptr, nullptr, nullptr,
                                                 nullptr);
     }},
    {"rondo_tensor_data", [] { return rondo_tensor_data(nullptr, nullptr); }},
    {"rondo_tensor_data_as", [] { return rondo_tensor_data_as(nullptr, RONDO_F32, nullptr); }},
    {"rondo_tensor_element_type", [] { return rondo_tensor_element_type(nullptr, nullptr); }},
    {"rondo_tensor_is_contiguous", [] { return rondo_tensor_is_contiguous(nullptr, nullptr); }},
    {"rondo_tensor_reshaped", [] { return rondo_tensor_reshaped(nullptr, nullptr, 1, nullptr); }},
    {"rondo_tensor_shape", [] { return rondo_tensor_shape(nullptr, nullptr, nullptr); }},
    {"rondo_tensor_size", [] { return rondo_tensor_size(nullptr, nullptr); }},
    {"rondo_tensor_strided_data", [] { return rondo_tensor_strided_data(nullptr, nullptr); }},
    {"rondo_tensor_strides", [] { return rondo_tensor_strides(nullptr, nullptr, nullptr); }},
    {"rondo_variable_state_get_name",
     [] { return rondo_variable_state_get_name(nullptr, nullptr); }},
    {"rondo_variable_state_get_state",
     [] { return rondo_variable_state_get_state(nullptr, nullptr); }},
    {"rondo_variable_state_reset", [] { return rondo_variable_state_reset(nullptr); }},
    {"rondo_variable_state_set_state",
     [] { return rondo_variable_state_set_state(nullptr, nullptr); }},
};

TEST(CNull, IsRefusedByEveryFunction) {
    for (const Call& call : kCalls) {
        SCOPED_TRACE(call.name);
        expect_status(call.call(), RONDO_INVALID_ARGUMENT, std::string(call.name) + ": '");
        EXPECT_NE(std::string(rondo_last_error_message()).find("' is NULL"), std::string::npos);
    }
}

TEST(CNull, HandlesAreRefusedWhereResultsAreThere) {
    void* result = nullptr;
    size_t index = 9;
    rondo_model_t* model = nullptr;
    expect_status(rondo_core_read_model(nullptr, "m.xml", nullptr, &model), RONDO_INVALID_ARGUMENT,
                  "rondo_core_read_model: 'core' is NULL");
    expect_status(rondo_model_find_input(nullptr, "x", &index), RONDO_INVALID_ARGUMENT,
                  "'model' is NULL");
    EXPECT_EQ(index, 0u);
    expect_status(rondo_tensor_data(nullptr, &result), RONDO_INVALID_ARGUMENT, "'tensor' is NULL");
    expect_status(rondo_infer_request_set_tensor(detector_request().get(), "h", nullptr),
                  RONDO_INVALID_ARGUMENT, "'tensor' is NULL");
}

TEST(CNull, IsFreedAndListedAsNothing) {
    rondo_compiled_model_free(nullptr);
    rondo_core_free(nullptr);
    rondo_infer_request_free(nullptr);
    rondo_kernel_list_free(nullptr);
    rondo_model_free(nullptr);
    rondo_named_tensor_list_free(nullptr);
    rondo_node_list_free(nullptr);
    rondo_port_list_free(nullptr);
    rondo_profiling_list_free(nullptr);
    rondo_stream_free(nullptr);
    rondo_stream_pool_free(nullptr);
    rondo_stream_pool_info_free(nullptr);
    rondo_stream_step_free(nullptr);
    rondo_string_free(nullptr);
    rondo_string_list_free(nullptr);
    rondo_tensor_free(nullptr);
    rondo_variable_state_list_free(nullptr);
    EXPECT_EQ(rondo_kernel_list_size(nullptr), 0u);
    EXPECT_EQ(rondo_named_tensor_list_size(nullptr), 0u);
    EXPECT_EQ(rondo_node_list_size(nullptr), 0u);
    EXPECT_EQ(rondo_port_list_size(nullptr), 0u);
    EXPECT_EQ(rondo_profiling_list_size(nullptr), 0u);
    EXPECT_EQ(rondo_string_list_size(nullptr), 0u);
    EXPECT_EQ(rondo_variable_state_list_size(nullptr), 0u);
    EXPECT_EQ(rondo_kernel_list_at(nullptr, 0), nullptr);
    EXPECT_EQ(rondo_named_tensor_list_at(nullptr, 0), nullptr);
    EXPECT_EQ(rondo_node_list_at(nullptr, 0), nullptr);
    EXPECT_EQ(rondo_port_list_at(nullptr, 0), nullptr);
    EXPECT_EQ(rondo_profiling_list_at(nullptr, 0), nullptr);
    EXPECT_EQ(rondo_string_list_at(nullptr, 0), nullptr);
    EXPECT_EQ(rondo_variable_state_list_at(nullptr, 0), nullptr);
}

}  // namespace
}  // namespace rondo::test::null_test
