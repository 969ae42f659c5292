/* Runs one step of 100 streams of a model that keeps its state, with one input f32[?,?,3] and an
   output "y": every value 0.5. Prints how many steps ran together. */
#include <rondo/rondo.h>
#include <stdio.h>
#include <stdlib.h>

enum { STREAMS = 100 };

static void check(rondo_status_t status) {
    if (status == RONDO_OK) return;
    fprintf(stderr, "streams: %s\n", rondo_last_error_message());
    exit(1);
}

int main(int argc, char** argv) {
    if (argc != 2) return fprintf(stderr, "usage: streams MODEL\n"), 1;
    float values[3] = {0.5f, 0.5f, 0.5f};
    const size_t shape[3] = {1, 1, 3};
    rondo_core_t* core;
    rondo_compiled_model_t* compiled;
    rondo_stream_pool_t* pool;
    rondo_stream_pool_info_t* info;
    rondo_stream_t* streams[STREAMS];
    rondo_stream_step_t* steps[STREAMS];
    rondo_tensor_t *x, *y[STREAMS];
    check(rondo_core_create(&core));
    check(rondo_core_compile_model_from_file(core, argv[1], "CPU", NULL, 0, &compiled));
    check(rondo_tensor_create_borrowed(RONDO_F32, shape, 3, values, NULL, &x));
    const rondo_tensor_t* const inputs[1] = {x};
    rondo_stream_pool_options_t options = RONDO_STREAM_POOL_OPTIONS_INIT;
    options.max_batch = 32;
    check(rondo_compiled_model_create_stream_pool(compiled, &options, &pool));
    for (size_t i = 0; i < STREAMS; ++i) check(rondo_stream_pool_open(pool, NULL, &streams[i]));
    for (size_t i = 0; i < STREAMS; ++i) check(rondo_stream_push(streams[i], inputs, 1, &steps[i]));
    for (size_t i = 0; i < STREAMS; ++i) check(rondo_stream_step_get_tensor(steps[i], "y", &y[i]));
    check(rondo_stream_pool_stats(pool, &info));
    printf("%d steps in %d batches\n", (int)info->steps, (int)info->batches);
    rondo_stream_pool_info_free(info);
    for (size_t i = 0; i < STREAMS; ++i) {
        rondo_tensor_free(y[i]);
        rondo_stream_step_free(steps[i]);
        rondo_stream_free(streams[i]);
    }
    rondo_tensor_free(x);
    rondo_stream_pool_free(pool);
    rondo_compiled_model_free(compiled);
    rondo_core_free(core);
    return 0;
}
