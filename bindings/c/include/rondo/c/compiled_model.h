// A model made ready for one device.
#pragma once

#include "rondo/c/infer_request.h"
#include "rondo/c/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Thread-safe: any number of requests may be made and run at the same time.
typedef struct rondo_compiled_model rondo_compiled_model_t;

RONDO_C_API void rondo_compiled_model_free(rondo_compiled_model_t* compiled);

RONDO_C_API rondo_status_t rondo_compiled_model_create_infer_request(
    rondo_compiled_model_t* compiled, rondo_infer_request_t** request);

RONDO_C_API rondo_status_t rondo_compiled_model_inputs(const rondo_compiled_model_t* compiled,
                                                       rondo_port_list_t** ports);
RONDO_C_API rondo_status_t rondo_compiled_model_outputs(const rondo_compiled_model_t* compiled,
                                                        rondo_port_list_t** ports);
/// The index of the port that has this name among its names; the error lists the known names.
RONDO_C_API rondo_status_t rondo_compiled_model_find_input(const rondo_compiled_model_t* compiled,
                                                           const char* name, size_t* index);
RONDO_C_API rondo_status_t rondo_compiled_model_find_output(const rondo_compiled_model_t* compiled,
                                                            const char* name, size_t* index);

/// `*value` is freed with rondo_string_free().
RONDO_C_API rondo_status_t rondo_compiled_model_get_property(const rondo_compiled_model_t* compiled,
                                                             const char* name, char** value);

/// The kernel that runs one node.
typedef struct rondo_kernel_info {
    const char* node_name;
    const char* node_type;
    const char* kernel;  ///< such as "lstm_avx512_f32"
    const char* reason;  ///< why this kernel and strategy
} rondo_kernel_info_t;

/// In the order they run.
typedef struct rondo_kernel_list rondo_kernel_list_t;

RONDO_C_API rondo_status_t rondo_compiled_model_kernels(const rondo_compiled_model_t* compiled,
                                                        rondo_kernel_list_t** kernels);
/// 0 for NULL.
RONDO_C_API size_t rondo_kernel_list_size(const rondo_kernel_list_t* list);
/// NULL where there is no such entry.
RONDO_C_API const rondo_kernel_info_t* rondo_kernel_list_at(const rondo_kernel_list_t* list,
                                                            size_t index);
RONDO_C_API void rondo_kernel_list_free(rondo_kernel_list_t* list);

/// A copy of the graph that runs, after the device's own passes. Ops that the device made for
/// itself are standard ops there, so that the model can be saved and compiled again.
RONDO_C_API rondo_status_t
rondo_compiled_model_runtime_model(const rondo_compiled_model_t* compiled, rondo_model_t** model);

#ifdef __cplusplus
}
#endif
