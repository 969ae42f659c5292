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
/// NULL if there is no such entry.
RONDO_C_API const rondo_kernel_info_t* rondo_kernel_list_at(const rondo_kernel_list_t* list,
                                                            size_t index);
RONDO_C_API void rondo_kernel_list_free(rondo_kernel_list_t* list);

/// How many inferences took at most that long, and longer than the class before; never grows.
typedef struct rondo_latency_class {
    int64_t upper_ns;  ///< 2^k - 1
    uint64_t count;
} rondo_latency_class_t;

/// What all requests and stream pools of a model have done, from its creation on.
typedef struct rondo_metrics_info {
    uint64_t inferences;  ///< that succeeded; a batch of a stream pool is one
    uint64_t failed;      ///< besides those that were cancelled
    uint64_t cancelled;
    size_t running;          ///< inferences
    size_t waiting;          ///< asynchronous inferences that have not begun
    int64_t latency_p50_ns;  ///< without waiting; at most 4 % too large
    int64_t latency_p90_ns;
    int64_t latency_p99_ns;
    int64_t latency_max_ns;
    const rondo_latency_class_t* latency_histogram;  ///< ascending
    size_t latency_histogram_size;
    uint64_t plans_made;       ///< for new input shapes
    uint64_t plan_cache_hits;  ///< plans that other requests had made before
    size_t arena_bytes;        ///< for tensors between nodes, of all requests together
} rondo_metrics_info_t;

/// `*info` is freed with rondo_metrics_info_free(), which frees its array as well.
RONDO_C_API rondo_status_t rondo_compiled_model_metrics(const rondo_compiled_model_t* compiled,
                                                        rondo_metrics_info_t** info);
RONDO_C_API void rondo_metrics_info_free(rondo_metrics_info_t* info);

/// A copy of the graph that runs, after the device's own passes. Ops that the device made for
/// itself are standard ops there, so that the model can be saved and compiled again.
RONDO_C_API rondo_status_t
rondo_compiled_model_runtime_model(const rondo_compiled_model_t* compiled, rondo_model_t** model);

#ifdef __cplusplus
}
#endif
