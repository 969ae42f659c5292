// Calls every function of the C API as a C99 program does, and checks their results.
// usage: exercise DETECTOR.xml SCRATCH_FOLDER STATEFUL.xml
// (docs/examples/streaming/detector.xml, tests/data/ir/openvino_stateful.xml)
#include "exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, FRAME = 16 };

static int faults = 0;

void fault(const char* file, int line, const char* text) {
    fprintf(stderr, "%s:%d: %s (%s)\n", file, line, text, rondo_last_error_message());
    ++faults;
}

static int fails(rondo_status_t status, rondo_status_t expected, const char* text) {
    return status == expected && strstr(rondo_last_error_message(), text) != NULL;
}

static void use_statics(void) {
    rondo_element_type_t type = RONDO_DYNAMIC;
    CHECK(strchr(rondo_version(), '.') != NULL);
    CHECK(strcmp(rondo_status_name(RONDO_CANCELLED), "RONDO_CANCELLED") == 0);
    CHECK(rondo_element_size(RONDO_I64) == 8);
    CHECK(strcmp(rondo_element_type_name(RONDO_BF16), "bf16") == 0);
    OK(rondo_element_type_from_name("FP16", &type));
    CHECK(type == RONDO_F16);
    CHECK(rondo_f16_to_float(rondo_f16_from_float(1.5f)) == 1.5f);
    CHECK(rondo_bf16_to_float(rondo_bf16_from_float(-2.0f)) == -2.0f);
}

static void count_release(void* user_data) { ++*(int*)user_data; }

static void use_released_tensor(void) {
    float values[4] = {1, 2, 3, 4};
    const size_t shape[2] = {2, 2};
    int released = 0;
    rondo_tensor_t *tensor, *view;
    void* data;
    OK(rondo_tensor_create_with_release(RONDO_F32, shape, 2, values, count_release, &released,
                                        &tensor));
    const size_t flat = 4;
    OK(rondo_tensor_reshaped(tensor, &flat, 1, &view));
    rondo_tensor_free(tensor);
    CHECK(released == 0);
    OK(rondo_tensor_data(view, &data));
    CHECK(data == values);
    OK(rondo_tensor_converted(view, RONDO_F64, NULL, &tensor));
    rondo_tensor_free(view);
    OK(rondo_tensor_data_as(tensor, RONDO_F64, &data));
    CHECK(released == 1 && ((double*)data)[3] == 4);
    rondo_tensor_free(tensor);
}

static void use_strided_tensor(void) {
    float values[6] = {1, 2, 99, 3, 4, 99};
    const size_t shape[2] = {2, 2};
    const ptrdiff_t strides[2] = {3 * sizeof(float), sizeof(float)};
    rondo_tensor_t *strided, *dense, *copy;
    void* data;
    int contiguous = -1;
    OK(rondo_tensor_create_borrowed(RONDO_F32, shape, 2, values, strides, &strided));
    OK(rondo_tensor_is_contiguous(strided, &contiguous));
    CHECK(contiguous == 0);
    CHECK(fails(rondo_tensor_data(strided, &data), RONDO_MODEL_ERROR, "strides") && data == NULL);
    OK(rondo_tensor_strided_data(strided, &data));
    CHECK(data == values);
    OK(rondo_tensor_contiguous(strided, &dense));
    OK(rondo_tensor_data_as(dense, RONDO_F32, &data));
    CHECK(((float*)data)[2] == 3);
    OK(rondo_tensor_create(RONDO_F32, shape, 2, &copy));
    OK(rondo_tensor_copy_to(strided, copy));
    OK(rondo_tensor_data_as(copy, RONDO_F32, &data));
    CHECK(((float*)data)[3] == 4);
    rondo_tensor_free(copy);
    rondo_tensor_free(dense);
    rondo_tensor_free(strided);
}

static void use_tensor_facts(void) {
    const size_t extents[3] = {2, 3, 4};
    const size_t* shape;
    const ptrdiff_t* strides;
    size_t rank, size, bytes;
    rondo_element_type_t type;
    rondo_tensor_t* tensor;
    OK(rondo_tensor_create(RONDO_I16, extents, 3, &tensor));
    OK(rondo_tensor_element_type(tensor, &type));
    OK(rondo_tensor_shape(tensor, &shape, &rank));
    CHECK(type == RONDO_I16 && rank == 3 && memcmp(shape, extents, sizeof(extents)) == 0);
    OK(rondo_tensor_strides(tensor, &strides, &rank));
    CHECK(rank == 3 && strides[0] == 24 && strides[1] == 8 && strides[2] == 2);
    OK(rondo_tensor_size(tensor, &size));
    OK(rondo_tensor_byte_size(tensor, &bytes));
    CHECK(size == 24 && bytes == 48);
    rondo_tensor_free(tensor);
}

static void use_queries(const rondo_core_t* core, const char* path) {
    const rondo_onnx_message_t noise = {"noise", 5, NULL, 0};
    rondo_node_support_list_t* rows;
    rondo_model_t* model;
    OK(rondo_core_query_model(core, path, NULL, 0, &rows));
    CHECK(rondo_node_support_list_size(rows) > 3);
    CHECK(rondo_node_support_list_at(rows, 0)->supported == 1);
    CHECK(rondo_node_support_list_at(rows, 1000) == NULL);
    rondo_node_support_list_free(rows);
    CHECK(fails(rondo_core_query_message(core, &noise, NULL, 0, &rows), RONDO_MODEL_ERROR,
                "known format"));
    CHECK(fails(rondo_core_read_message(core, &noise, NULL, 0, &model), RONDO_MODEL_ERROR,
                "known format"));
    OK(rondo_set_default_threads(0));
}

static void use_devices(rondo_core_t* core) {
    rondo_string_list_t* devices;
    char *number, *description, *value;
    const rondo_property_t threads = {"INFERENCE_NUM_THREADS", "1"};
    OK(rondo_core_get_available_devices(core, &devices));
    CHECK(rondo_string_list_size(devices) >= 2);
    CHECK(strcmp(rondo_string_list_at(devices, 0), "CPU") == 0);
    CHECK(rondo_string_list_at(devices, 99) == NULL);
    rondo_string_list_free(devices);
    OK(rondo_core_get_version(core, "CPU", &number, &description));
    CHECK(number[0] != 0 && description[0] != 0);
    rondo_string_free(number);
    rondo_string_free(description);
    OK(rondo_core_set_property(core, "CPU", &threads, 1));
    OK(rondo_core_get_property(core, "CPU", threads.name, &value));
    CHECK(strcmp(value, "1") == 0);
    rondo_string_free(value);
    OK(rondo_set_log_callback(NULL, NULL));
    CHECK(fails(rondo_core_register_plugin(core, "nowhere.so", "NPU"), RONDO_MODEL_ERROR,
                "nowhere.so"));
}

static void use_nodes(const rondo_model_t* model) {
    rondo_node_list_t* nodes;
    size_t recurrent = 0;
    OK(rondo_model_nodes(model, &nodes));
    for (size_t i = 0; i < rondo_node_list_size(nodes); ++i) {
        const rondo_node_info_t* node = rondo_node_list_at(nodes, i);
        if (strcmp(node->type, "LSTMSequence") != 0) continue;
        ++recurrent;
        CHECK(node->attribute_count > 0 && node->attributes[0].name[0] != 0);
        CHECK(node->input_count == 7 && node->inputs[0].node < i);
        CHECK(rondo_port_list_size(node->outputs) == 3);
        CHECK(rondo_port_list_at(node->outputs, 1)->max[2] == 24);
    }
    CHECK(recurrent == 1);
    CHECK(rondo_node_list_at(nodes, rondo_node_list_size(nodes)) == NULL);
    rondo_node_list_free(nodes);
}

static void use_ports(const rondo_model_t* model) {
    rondo_port_list_t *inputs, *outputs;
    size_t index = 99;
    int known = 1;
    int64_t min, max;
    OK(rondo_model_inputs(model, &inputs));
    CHECK(rondo_port_list_size(inputs) == 3 && rondo_port_list_at(inputs, 3) == NULL);
    const rondo_port_info_t* audio = rondo_port_list_at(inputs, 0);
    CHECK(strcmp(audio->name, "audio") == 0 && audio->name_count == 1);
    CHECK(strcmp(audio->names[0], "audio") == 0 && audio->element_type == RONDO_F32);
    CHECK(audio->rank == 3 && audio->min[0] == 1 && audio->max[0] == 1);
    CHECK(audio->min[1] == 0 && audio->max[1] == RONDO_INFINITY);
    CHECK(strcmp(audio->shape, "[1,?,16]") == 0);
    OK(rondo_model_outputs(model, &outputs));
    CHECK(strcmp(rondo_port_list_at(outputs, 0)->name, "score") == 0);
    OK(rondo_model_find_input(model, "c", &index));
    CHECK(index == 2);
    OK(rondo_model_find_output(model, "h_out", &index));
    CHECK(index == 1);
    OK(rondo_model_value_range(model, "audio", &known, &min, &max));
    CHECK(known == 0);
    rondo_port_list_free(outputs);
    rondo_port_list_free(inputs);
}

static void count_lines(const char* text, void* user_data) {
    if (text[0] != 0) ++*(int*)user_data;
}

static void use_model(const rondo_core_t* core, const rondo_model_t* model, const char* folder) {
    const rondo_input_shape_t shape = {"audio", "1,5,16"};
    rondo_transform_options_t options = RONDO_TRANSFORM_OPTIONS_INIT;
    rondo_save_options_t save = RONDO_SAVE_OPTIONS_INIT;
    const char* name;
    char *text, path[512];
    int lines = 0;
    const rondo_state_pair_t pair = {"h", "h_out"};
    rondo_quantization_options_t quantization = RONDO_QUANTIZATION_OPTIONS_INIT;
    rondo_quantization_list_t* layers;
    rondo_model_t *copy, *saved, *kept, *integers;
    OK(rondo_model_name(model, &name));
    CHECK(strcmp(name, "detector") == 0);
    OK(rondo_model_clone(model, &copy));
    OK(rondo_model_reshape(copy, &shape, 1));
    OK(rondo_model_clone(copy, &kept));
    OK(rondo_model_make_stateful(kept, &pair, 1));
    OK(rondo_model_apply_low_latency(kept, 0));
    rondo_model_free(kept);
    options.print = count_lines;
    options.user_data = &lines;
    options.validate = 1;
    OK(rondo_core_transform(core, copy, &options));
    CHECK(lines > 0);
    OK(rondo_model_to_text(copy, &text));
    CHECK(strstr(text, "LSTMSequence") != NULL);
    rondo_string_free(text);
    OK(rondo_model_clone(copy, &integers));
    OK(rondo_model_quantize(integers, &quantization, &layers));
    CHECK(rondo_quantization_list_size(layers) == 1);
    CHECK(rondo_quantization_list_at(layers, 0)->bytes > 0);
    CHECK(rondo_quantization_list_at(layers, 1) == NULL);
    rondo_quantization_list_free(layers);
    rondo_model_free(integers);
    snprintf(path, sizeof(path), "%s/exercise.xml", folder);
    OK(rondo_model_save(copy, path, 0));
    OK(rondo_core_read_model(core, path, NULL, &saved));
    rondo_model_free(saved);
    snprintf(path, sizeof(path), "%s/exercise.onnx", folder);
    OK(rondo_model_save_with(copy, path, &save));
    rondo_model_free(copy);
}

// The whole file; freed by the caller.
static char* read_file(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    char* bytes = malloc(1 << 20);
    *size = file == NULL || bytes == NULL ? 0 : fread(bytes, 1, 1 << 20, file);
    if (file != NULL) fclose(file);
    return bytes;
}

static rondo_model_t* read_from_memory(const rondo_core_t* core, const char* xml_path) {
    char bin_path[512];
    size_t xml_size, bin_size;
    rondo_tensor_t* weights;
    rondo_model_t* model;
    snprintf(bin_path, sizeof(bin_path), "%.*sbin", (int)strlen(xml_path) - 3, xml_path);
    char* xml = read_file(xml_path, &xml_size);
    char* bin = read_file(bin_path, &bin_size);
    OK(rondo_tensor_create_with_release(RONDO_U8, &bin_size, 1, bin, free, bin, &weights));
    OK(rondo_core_read_model_from_memory(core, xml, xml_size, weights, &model));
    rondo_tensor_free(weights);  // the model keeps what it needs of it
    free(xml);
    return model;
}

static void use_compiled_model(const rondo_compiled_model_t* compiled) {
    rondo_port_list_t *inputs, *outputs;
    rondo_kernel_list_t* kernels;
    rondo_metrics_info_t* metrics;
    rondo_model_t* runtime;
    char* value;
    size_t index, lstm = 0;
    OK(rondo_compiled_model_inputs(compiled, &inputs));
    OK(rondo_compiled_model_outputs(compiled, &outputs));
    CHECK(rondo_port_list_size(inputs) == 3 && rondo_port_list_size(outputs) == 3);
    rondo_port_list_free(inputs);
    rondo_port_list_free(outputs);
    OK(rondo_compiled_model_find_input(compiled, "h", &index));
    CHECK(index == 1);
    OK(rondo_compiled_model_find_output(compiled, "c_out", &index));
    CHECK(index == 2);
    OK(rondo_compiled_model_get_property(compiled, "PERF_COUNT", &value));
    CHECK(strcmp(value, "YES") == 0);
    rondo_string_free(value);
    OK(rondo_compiled_model_metrics(compiled, &metrics));
    CHECK(metrics->failed == 0);
    rondo_metrics_info_free(metrics);
    OK(rondo_compiled_model_kernels(compiled, &kernels));
    for (size_t i = 0; i < rondo_kernel_list_size(kernels); ++i) {
        const rondo_kernel_info_t* kernel = rondo_kernel_list_at(kernels, i);
        CHECK(kernel->node_name[0] != 0 && kernel->kernel[0] != 0 && kernel->reason[0] != 0);
        lstm += strcmp(kernel->node_type, "LSTMSequence") == 0;
    }
    CHECK(lstm == 1);
    rondo_kernel_list_free(kernels);
    OK(rondo_compiled_model_runtime_model(compiled, &runtime));
    rondo_model_free(runtime);
}

typedef struct outcome {
    int calls;
    rondo_status_t status;
} outcome_t;

static void on_done(rondo_status_t status, const char* message, void* user_data) {
    outcome_t* outcome = user_data;
    ++outcome->calls;
    outcome->status = status;
    if (message == NULL) fault(__FILE__, __LINE__, "a callback without a message");
}

static void use_async(rondo_infer_request_t* request) {
    outcome_t outcome = {0, RONDO_INTERNAL_ERROR};
    int done = 0;
    OK(rondo_infer_request_set_callback(request, on_done, &outcome));
    OK(rondo_infer_request_start_async(request));
    OK(rondo_infer_request_wait(request));
    OK(rondo_infer_request_wait_for(request, 1000, &done));
    CHECK(done == 1 && outcome.calls == 1 && outcome.status == RONDO_OK);
    OK(rondo_infer_request_start_async(request));
    OK(rondo_infer_request_cancel(request));
    const rondo_status_t ended = rondo_infer_request_wait(request);  // it may have ended before
    CHECK(ended == RONDO_OK || ended == RONDO_CANCELLED);
    CHECK(outcome.calls == 2 && outcome.status == ended);
    OK(rondo_infer_request_set_callback(request, NULL, NULL));
}

static void use_profile(const rondo_infer_request_t* request) {
    rondo_profiling_list_t* profile;
    size_t executed = 0, lstm = 0;
    OK(rondo_infer_request_get_profiling_info(request, &profile));
    for (size_t i = 0; i < rondo_profiling_list_size(profile); ++i) {
        const rondo_profiling_info_t* entry = rondo_profiling_list_at(profile, i);
        CHECK(entry->node_name[0] != 0 && entry->node_type[0] != 0 && entry->real_time_ns >= 0);
        executed += entry->status == RONDO_EXECUTED && entry->exec_type[0] != 0;
        if (strcmp(entry->node_type, "LSTMSequence") != 0) continue;
        CHECK(strncmp(entry->exec_type, "lstm_", 5) == 0 && entry->real_time_ns > 0);
        lstm += strstr(entry->exec_type, " serial") != NULL || strstr(entry->exec_type, "_split ");
    }
    CHECK(executed > 0 && lstm == 1);
    rondo_profiling_list_free(profile);
}

static void* give_memory(size_t output, const size_t* shape, size_t rank, void* user_data) {
    return output == 1 && rank == 3 && shape[0] == 1 ? user_data : NULL;
}

static void use_given_memory(rondo_infer_request_t* request) {
    float state[64] = {0};
    rondo_tensor_t* output;
    void* data;
    OK(rondo_infer_request_set_output_allocator(request, give_memory, state));
    OK(rondo_infer_request_infer(request));
    OK(rondo_infer_request_get_output_tensor(request, 1, &output));
    OK(rondo_tensor_data(output, &data));
    CHECK(data == state && state[0] != 0);
    rondo_tensor_free(output);
    OK(rondo_infer_request_set_output_allocator(request, NULL, NULL));
}

static void use_request(rondo_infer_request_t* request) {
    float audio[STEPS * FRAME], score[STEPS] = {-1, -1, -1};
    const size_t shape[3] = {1, STEPS, FRAME}, out_shape[3] = {1, STEPS, 1};
    rondo_tensor_t *input, *output, *state, *same;
    void *data, *first;
    for (int i = 0; i < STEPS * FRAME; ++i) audio[i] = 0.01f * (float)i;
    OK(rondo_tensor_create_borrowed(RONDO_F32, shape, 3, audio, NULL, &input));
    OK(rondo_tensor_create_borrowed(RONDO_F32, out_shape, 3, score, NULL, &output));
    OK(rondo_infer_request_set_tensor(request, "audio", input));
    OK(rondo_infer_request_set_input_tensor(request, 0, input));
    OK(rondo_infer_request_set_output_tensor(request, 0, output));
    OK(rondo_infer_request_get_tensor(request, "h", &state));
    rondo_tensor_free(state);
    OK(rondo_infer_request_get_input_tensor(request, 2, &state));
    rondo_tensor_free(state);
    rondo_tensor_free(input);  // the request shares it
    rondo_tensor_free(output);
    OK(rondo_infer_request_infer(request));
    CHECK(score[0] > 0 && score[STEPS - 1] > 0 && score[0] < 1);
    OK(rondo_infer_request_get_output_tensor(request, 0, &same));
    OK(rondo_tensor_data(same, &data));
    CHECK(data == score);
    rondo_tensor_free(same);
    OK(rondo_infer_request_get_output_tensor(request, 1, &state));
    OK(rondo_tensor_data_as(state, RONDO_F32, &first));
    CHECK(((float*)first)[0] != 0);
    rondo_tensor_free(state);
    use_profile(request);
    use_given_memory(request);
    use_async(request);
}

static void use_states(const rondo_core_t* core, const char* path) {
    rondo_compiled_model_t* compiled;
    rondo_infer_request_t* request;
    rondo_variable_state_list_t* states;
    rondo_tensor_t *x, *before, *after;
    const size_t shape[3] = {1, STEPS, 3};
    const char* name;
    void* data;
    OK(rondo_core_compile_model_from_file(core, path, "CPU", NULL, 0, &compiled));
    OK(rondo_compiled_model_create_infer_request(compiled, &request));
    rondo_compiled_model_free(compiled);
    OK(rondo_tensor_create(RONDO_F32, shape, 3, &x));
    OK(rondo_infer_request_set_tensor(request, "x", x));
    rondo_tensor_free(x);
    OK(rondo_infer_request_infer(request));
    OK(rondo_infer_request_query_state(request, &states));
    CHECK(rondo_variable_state_list_size(states) == 2);
    rondo_variable_state_t* state = rondo_variable_state_list_at(states, 1);
    OK(rondo_variable_state_get_name(state, &name));
    CHECK(strcmp(name, "c") == 0);
    OK(rondo_variable_state_get_state(state, &before));
    OK(rondo_variable_state_reset(state));
    OK(rondo_variable_state_set_state(state, before));
    OK(rondo_infer_request_infer(request));
    OK(rondo_variable_state_get_state(state, &after));
    OK(rondo_tensor_data(after, &data));
    CHECK(((float*)data)[0] != 0);
    OK(rondo_infer_request_reset_state(request));
    rondo_infer_request_free(request);  // the states keep what they need of it
    OK(rondo_variable_state_reset(state));
    rondo_tensor_free(before);
    rondo_tensor_free(after);
    rondo_variable_state_list_free(states);
}

int main(int argc, char** argv) {
    rondo_core_t* core;
    rondo_compiled_model_t *compiled, *from_file;
    rondo_infer_request_t* request;
    const rondo_property_t profile = {"PERF_COUNT", "YES"};
    if (argc != 4) return fprintf(stderr, "usage: exercise MODEL FOLDER STATEFUL\n"), 1;
    use_statics();
    use_released_tensor();
    use_strided_tensor();
    use_tensor_facts();
    OK(rondo_core_create(&core));
    use_devices(core);
    use_queries(core, argv[1]);
    rondo_model_t* model = read_from_memory(core, argv[1]);
    use_ports(model);
    use_nodes(model);
    use_model(core, model, argv[2]);
    OK(rondo_core_compile_model_from_file(core, argv[1], "REFERENCE", NULL, 0, &from_file));
    rondo_compiled_model_free(from_file);
    OK(rondo_core_compile_model(core, model, "CPU", &profile, 1, &compiled));
    rondo_model_free(model);
    use_states(core, argv[3]);
    use_streams(core, argv[3]);
    rondo_core_free(core);
    use_compiled_model(compiled);
    OK(rondo_compiled_model_create_infer_request(compiled, &request));
    rondo_compiled_model_free(compiled);  // the request keeps what it needs of it
    use_request(request);
    rondo_infer_request_free(request);
    printf("%d faults\n", faults);
    return faults == 0 ? 0 : 1;
}
