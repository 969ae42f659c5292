// The exercise's part for pools, streams and steps.
#include <string.h>

#include "exercise.h"

enum { FEATURES = 3, ROUNDS = 4 };

static rondo_tensor_t* make_input(float first) {
    const size_t shape[3] = {1, 1, FEATURES};
    rondo_tensor_t* x;
    void* data;
    OK(rondo_tensor_create(RONDO_F32, shape, 3, &x));
    OK(rondo_tensor_data_as(x, RONDO_F32, &data));
    for (int i = 0; i < FEATURES; ++i) ((float*)data)[i] = first + 0.25f * (float)i;
    return x;
}

// The first number of the step's output.
static float first_of(const rondo_stream_step_t* step) {
    rondo_tensor_t *y, *same;
    void* data;
    OK(rondo_stream_step_get_output_tensor(step, 0, &y));
    OK(rondo_stream_step_get_tensor(step, "y", &same));
    rondo_tensor_free(same);
    OK(rondo_tensor_data_as(y, RONDO_F32, &data));
    const float first = ((float*)data)[0];
    rondo_tensor_free(y);
    return first;
}

static void use_steps(rondo_stream_t* stream) {
    rondo_tensor_t* x = make_input(0.5f);
    const rondo_tensor_t* const inputs[1] = {x};
    const rondo_named_tensor_t named[1] = {{"x", x}};
    rondo_stream_step_t *first, *second, *third, *fourth;
    int done = 0;
    OK(rondo_stream_push(stream, inputs, 1, &first));
    OK(rondo_stream_push_named(stream, named, 1, &second));
    OK(rondo_stream_infer(stream, inputs, 1, &third));
    OK(rondo_stream_infer_named(stream, named, 1, &fourth));
    rondo_tensor_free(x);
    OK(rondo_stream_step_is_done(first, &done));
    CHECK(done == 1);  // they end in their order
    OK(rondo_stream_step_wait(first));
    OK(rondo_stream_step_wait_for(second, 1000000, &done));
    CHECK(done == 1);
    CHECK(first_of(first) != first_of(second) && first_of(third) != first_of(fourth));
    OK(rondo_stream_step_cancel(first));  // it has ended: nothing to do
    OK(rondo_stream_step_wait(first));
    rondo_stream_step_free(first);
    rondo_stream_step_free(second);
    rondo_stream_step_free(third);
    rondo_stream_step_free(fourth);
}

typedef struct ending {
    int calls;
    int right;
} ending_t;

static void on_end(const rondo_stream_step_t* step, rondo_status_t status, const char* message,
                   void* user_data) {
    ending_t* ending = user_data;
    ++ending->calls;
    ending->right += status == RONDO_OK && message[0] == 0 && first_of(step) == first_of(step);
}

static void use_callbacks(rondo_stream_t* stream) {
    rondo_tensor_t* x = make_input(0.25f);
    const rondo_tensor_t* const inputs[1] = {x};
    const rondo_named_tensor_t named[1] = {{"x", x}};
    rondo_stream_step_t *step, *last;
    ending_t ending = {0, 0};
    OK(rondo_stream_push_with_callback(stream, inputs, 1, on_end, &ending, NULL));
    OK(rondo_stream_push_named_with_callback(stream, named, 1, on_end, &ending, &step));
    OK(rondo_stream_step_wait(step));
    rondo_stream_step_free(step);
    // A step may end before its callback is called; the next one begins after it.
    OK(rondo_stream_push(stream, inputs, 1, &last));
    OK(rondo_stream_step_wait(last));
    rondo_stream_step_free(last);
    rondo_tensor_free(x);
    CHECK(ending.calls == 2 && ending.right == 2);
}

static void use_stream_state(rondo_stream_t* stream) {
    rondo_tensor_t* x = make_input(1);
    const rondo_tensor_t* const inputs[1] = {x};
    rondo_named_tensor_list_t* state;
    rondo_stream_step_t *here, *there, *again;
    rondo_stream_t* fork;
    rondo_tensor_t* bytes;
    int open = 0;
    OK(rondo_stream_state(stream, &state));
    CHECK(rondo_named_tensor_list_size(state) == 2);
    CHECK(strcmp(rondo_named_tensor_list_at(state, 0)->name, "c") == 0);
    CHECK(rondo_named_tensor_list_at(state, 2) == NULL);
    OK(rondo_stream_fork(stream, &fork));
    OK(rondo_stream_infer(stream, inputs, 1, &here));
    OK(rondo_stream_infer(fork, inputs, 1, &there));
    CHECK(first_of(here) == first_of(there));
    OK(rondo_stream_reset(fork));
    OK(rondo_stream_set_state(fork, rondo_named_tensor_list_at(state, 0), 2));
    OK(rondo_stream_infer(fork, inputs, 1, &again));
    CHECK(first_of(again) == first_of(here));
    OK(rondo_stream_save_state(fork, &bytes));
    OK(rondo_stream_load_state(fork, bytes));
    rondo_tensor_free(bytes);
    OK(rondo_stream_cancel(fork));
    OK(rondo_stream_close(fork));
    OK(rondo_stream_is_open(fork, &open));
    CHECK(open == 0);
    rondo_stream_free(fork);
    rondo_stream_step_free(again);
    rondo_stream_step_free(there);
    rondo_stream_step_free(here);
    rondo_named_tensor_list_free(state);
    rondo_tensor_free(x);
}

static void use_stats(const rondo_stream_pool_t* pool) {
    rondo_stream_pool_info_t* info;
    uint64_t steps = 0;
    OK(rondo_stream_pool_stats(pool, &info));
    CHECK(info->steps > 6 && info->failed == 0 && info->dropped == 0 && info->rejected == 0);
    CHECK(info->batch_count_size > 1 && info->why_not_batched != NULL);
    for (size_t i = 0; i < info->batch_count_size; ++i) steps += i * info->batch_counts[i];
    CHECK(steps == info->steps && info->batches <= info->steps);
    CHECK(info->latency_p50_ns > 0 && info->latency_p50_ns <= info->latency_p90_ns);
    CHECK(info->latency_p99_ns <= info->latency_max_ns && info->occupancy > 0);
    rondo_stream_pool_info_free(info);
}

void use_streams(const rondo_core_t* core, const char* path) {
    rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
    rondo_stream_options_t stream_options = RONDO_STREAM_OPTIONS_INIT;
    rondo_compiled_model_t* compiled;
    rondo_stream_pool_t *pool, *other;
    rondo_stream_t *stream, *late;
    rondo_stream_step_t* step;
    rondo_tensor_t* x = make_input(0);
    const rondo_tensor_t* const inputs[1] = {x};
    OK(rondo_core_compile_model_from_file(core, path, "CPU", NULL, 0, &compiled));
    options.max_batch = 8;
    options.overflow = RONDO_OVERFLOW_BLOCK;
    OK(rondo_compiled_model_create_stream_pool(compiled, &options, &pool));
    OK(rondo_compiled_model_create_stream_pool(compiled, NULL, &other));
    rondo_compiled_model_free(compiled);
    OK(rondo_stream_pool_warm_up(pool, inputs, 1));
    stream_options.priority = 1;
    OK(rondo_stream_pool_open(pool, &stream_options, &stream));
    OK(rondo_stream_pool_open(other, NULL, &late));
    OK(rondo_stream_pool_close(other));
    CHECK(rondo_stream_push(late, inputs, 1, &step) == RONDO_MODEL_ERROR && step == NULL);
    rondo_stream_free(late);
    rondo_stream_pool_free(other);
    rondo_tensor_free(x);
    for (int i = 0; i < ROUNDS; ++i) use_steps(stream);
    use_callbacks(stream);
    use_stream_state(stream);
    use_stats(pool);
    rondo_stream_pool_free(pool);  // the stream keeps it alive
    use_steps(stream);
    rondo_stream_free(stream);
}
