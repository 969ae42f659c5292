/* Runs a model with one input, every value 0.5, and prints its first output. */
#include <rondo/rondo.h>
#include <stdio.h>
#include <stdlib.h>
static void check(rondo_status_t status) {
    if (status == RONDO_OK) return;
    fprintf(stderr, "hello: %s\n", rondo_last_error_message());
    exit(1);
}
int main(int argc, char** argv) {
    if (argc != 4) return fprintf(stderr, "usage: hello MODEL INPUT SHAPE\n"), 1;
    const rondo_input_shape_t shape = {argv[2], argv[3]};
    rondo_core_t* core; rondo_model_t* model; rondo_compiled_model_t* compiled;
    rondo_infer_request_t* request; rondo_tensor_t *input, *output; void *in, *out; size_t n, m;
    check(rondo_core_create(&core));
    check(rondo_core_read_model(core, argv[1], NULL, &model));
    check(rondo_model_reshape(model, &shape, 1));
    check(rondo_core_compile_model(core, model, "CPU", NULL, 0, &compiled));
    check(rondo_compiled_model_create_infer_request(compiled, &request));
    check(rondo_infer_request_get_tensor(request, argv[2], &input));
    check(rondo_tensor_data_as(input, RONDO_F32, &in)); check(rondo_tensor_size(input, &n));
    for (size_t i = 0; i < n; ++i) ((float*)in)[i] = 0.5f;
    check(rondo_infer_request_infer(request));
    check(rondo_infer_request_get_output_tensor(request, 0, &output));
    check(rondo_tensor_data_as(output, RONDO_F32, &out)); check(rondo_tensor_size(output, &m));
    for (size_t i = 0; i < m; ++i) printf("%g\n", ((float*)out)[i]);
    rondo_tensor_free(output); rondo_tensor_free(input); rondo_infer_request_free(request);
    rondo_compiled_model_free(compiled); rondo_model_free(model); rondo_core_free(core);
}
