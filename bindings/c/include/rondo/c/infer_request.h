// One inference at a time: tensors in, tensors out.
#pragma once

#include "rondo/c/tensor.h"
#include "rondo/c/variable_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Made by rondo_compiled_model_create_infer_request(). Don't use it from two threads at once,
/// except for rondo_infer_request_cancel().
typedef struct rondo_infer_request rondo_infer_request_t;

/// A running asynchronous inference continues and its callback is still called: wait for it before
/// memory that it uses is freed.
RONDO_C_API void rondo_infer_request_free(rondo_infer_request_t* request);

/// Binds a tensor to an input or output, found by any of its names. The request shares its memory;
/// the handle may be freed. A strided input is honoured; a strided output is refused. An input that
/// is a scalar also takes one element of any rank; the request then has it as a scalar.
RONDO_C_API rondo_status_t rondo_infer_request_set_tensor(rondo_infer_request_t* request,
                                                          const char* name,
                                                          const rondo_tensor_t* tensor);
RONDO_C_API rondo_status_t rondo_infer_request_set_input_tensor(rondo_infer_request_t* request,
                                                                size_t index,
                                                                const rondo_tensor_t* tensor);
RONDO_C_API rondo_status_t rondo_infer_request_set_output_tensor(rondo_infer_request_t* request,
                                                                 size_t index,
                                                                 const rondo_tensor_t* tensor);

/// A new handle to the request's tensor. An input that was never set is made when its shape is
/// known, zeroed, to be filled in place. An output is overwritten by the next inference.
RONDO_C_API rondo_status_t rondo_infer_request_get_tensor(rondo_infer_request_t* request,
                                                          const char* name,
                                                          rondo_tensor_t** tensor);
RONDO_C_API rondo_status_t rondo_infer_request_get_input_tensor(rondo_infer_request_t* request,
                                                                size_t index,
                                                                rondo_tensor_t** tensor);
RONDO_C_API rondo_status_t rondo_infer_request_get_output_tensor(rondo_infer_request_t* request,
                                                                 size_t index,
                                                                 rondo_tensor_t** tensor);

/// Gives memory for an output of that index and shape (row-major, of the output's type), or NULL:
/// the request's own. Called during an inference, on the thread that runs it; must not throw.
typedef void* (*rondo_output_allocator_fn)(size_t output, const size_t* shape, size_t rank,
                                           void* user_data);

/// From now on `allocator` is called in each inference for each output to which no tensor is bound,
/// as soon as its shape is known; NULL: not any more. The memory must stay until the inference has
/// ended, and as long as the output's tensor is read. CPU writes the results there; for another
/// device they are copied at the end.
RONDO_C_API rondo_status_t rondo_infer_request_set_output_allocator(
    rondo_infer_request_t* request, rondo_output_allocator_fn allocator, void* user_data);

/// Runs now and returns when done.
RONDO_C_API rondo_status_t rondo_infer_request_infer(rondo_infer_request_t* request);

/// Runs in the background; rondo_infer_request_wait() returns when done, with its status.
RONDO_C_API rondo_status_t rondo_infer_request_start_async(rondo_infer_request_t* request);
RONDO_C_API rondo_status_t rondo_infer_request_wait(rondo_infer_request_t* request);
/// `*done` is 1 if it ended within `milliseconds`, else 0.
RONDO_C_API rondo_status_t rondo_infer_request_wait_for(rondo_infer_request_t* request,
                                                        int64_t milliseconds, int* done);
/// Asks a running inference to stop: its wait then returns RONDO_CANCELLED.
RONDO_C_API rondo_status_t rondo_infer_request_cancel(rondo_infer_request_t* request);

/// How an asynchronous inference ended; `message` is "" for RONDO_OK and valid during the call.
typedef void (*rondo_infer_callback_fn)(rondo_status_t status, const char* message,
                                        void* user_data);

/// Called after each asynchronous inference, on the thread that ran it, before wait returns. May
/// read outputs and start the next inference; must not throw. NULL removes the callback.
RONDO_C_API rondo_status_t rondo_infer_request_set_callback(rondo_infer_request_t* request,
                                                            rondo_infer_callback_fn callback,
                                                            void* user_data);

/// The model's variables, one for each pair of ReadValue and Assign, which keep their values from
/// one inference of this request to the next. An inference that fails doesn't change them.
RONDO_C_API rondo_status_t rondo_infer_request_query_state(rondo_infer_request_t* request,
                                                           rondo_variable_state_list_t** states);
/// Resets every variable.
RONDO_C_API rondo_status_t rondo_infer_request_reset_state(rondo_infer_request_t* request);

typedef enum rondo_profiling_status {
    RONDO_NOT_RUN = 0,
    RONDO_OPTIMIZED_OUT = 1,
    RONDO_EXECUTED = 2
} rondo_profiling_status_t;

/// What one node cost in the last inference.
typedef struct rondo_profiling_info {
    rondo_profiling_status_t status;
    int64_t real_time_ns;
    const char* node_name;
    const char* node_type;
    const char* exec_type;  ///< the kernel that ran, such as "lstm_avx512_f32 serial"
} rondo_profiling_info_t;

typedef struct rondo_profiling_list rondo_profiling_list_t;

/// An entry a node; empty unless the model was compiled with PERF_COUNT=YES.
RONDO_C_API rondo_status_t rondo_infer_request_get_profiling_info(
    const rondo_infer_request_t* request, rondo_profiling_list_t** profile);
/// 0 for NULL.
RONDO_C_API size_t rondo_profiling_list_size(const rondo_profiling_list_t* list);
/// NULL if there is no such entry.
RONDO_C_API const rondo_profiling_info_t* rondo_profiling_list_at(
    const rondo_profiling_list_t* list, size_t index);
RONDO_C_API void rondo_profiling_list_free(rondo_profiling_list_t* list);

#ifdef __cplusplus
}
#endif
