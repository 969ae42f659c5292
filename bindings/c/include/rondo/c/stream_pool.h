// Many live sequences on one compiled model: steps of several streams run as one batch.
#pragma once

#include "rondo/c/compiled_model.h"
#include "rondo/c/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs the steps of many streams on one compiled model, whose variables are kept for each stream.
/// If the model's rows are independent, the steps of several streams run as one inference, with
/// the same bits as alone; otherwise one by one. Thread-safe.
typedef struct rondo_stream_pool rondo_stream_pool_t;

/// One live sequence: its steps run in their order, each from the state that the one before left.
/// Thread-safe.
typedef struct rondo_stream rondo_stream_t;

/// One step of a stream. Thread-safe.
typedef struct rondo_stream_step rondo_stream_step_t;

/// What happens to a step that is pushed while `queue_limit` steps of its stream wait.
typedef enum rondo_overflow {
    RONDO_OVERFLOW_REJECT = 0,      ///< the push is RONDO_QUEUE_FULL
    RONDO_OVERFLOW_BLOCK = 1,       ///< the push waits until there is room
    RONDO_OVERFLOW_DROP_OLDEST = 2  ///< the stream's oldest waiting step ends as RONDO_CANCELLED
} rondo_overflow_t;

/// Initialise it with RONDO_STREAM_POOL_OPTIONS_INIT, then change what is to differ.
typedef struct rondo_stream_pool_options {
    size_t struct_size;    ///< sizeof(rondo_stream_pool_options_t), so that fields can be appended
    size_t max_batch;      ///< streams of one inference
    int64_t max_delay_us;  ///< how long a step may wait for steps of other streams
    size_t threads;        ///< inferences at once; 0: as many as the model was compiled for
    size_t max_streams;    ///< opening more is RONDO_QUEUE_FULL; 0: any number
    size_t queue_limit;    ///< steps of one stream that may wait; 0: any number
    rondo_overflow_t overflow;
    int64_t idle_timeout_ms;  ///< a stream without steps for this time is closed; 0: never
} rondo_stream_pool_options_t;

#define RONDO_STREAM_POOL_OPTIONS_INIT \
    { sizeof(rondo_stream_pool_options_t), 64, 0, 0, 0, 64, RONDO_OVERFLOW_REJECT, 0 }

/// `options` may be NULL: those of RONDO_STREAM_POOL_OPTIONS_INIT.
RONDO_C_API rondo_status_t rondo_compiled_model_create_stream_pool(
    rondo_compiled_model_t* compiled, const rondo_stream_pool_options_t* options,
    rondo_stream_pool_t** pool);

/// Streams keep the pool alive. The call that frees the last of it and them returns when the steps
/// that were pushed have ended; on a thread of the pool it returns at once, and they still end.
RONDO_C_API void rondo_stream_pool_free(rondo_stream_pool_t* pool);

/// Initialise it with RONDO_STREAM_OPTIONS_INIT, then change what is to differ.
typedef struct rondo_stream_options {
    size_t struct_size;   ///< sizeof(rondo_stream_options_t), so that fields can be appended
    int priority;         ///< steps of streams of higher priority run first
    int64_t deadline_us;  ///< from the push to the result that is wanted: the earliest runs first
} rondo_stream_options_t;

#define RONDO_STREAM_OPTIONS_INIT \
    { sizeof(rondo_stream_options_t), 0, 10000 }

/// `options` may be NULL: those of RONDO_STREAM_OPTIONS_INIT. RONDO_QUEUE_FULL if `max_streams`
/// are open.
RONDO_C_API rondo_status_t rondo_stream_pool_open(rondo_stream_pool_t* pool,
                                                  const rondo_stream_options_t* options,
                                                  rondo_stream_t** stream);

/// Plans inferences of up to `max_batch` steps with inputs as these, so that later ones don't have
/// to. No stream changes.
RONDO_C_API rondo_status_t rondo_stream_pool_warm_up(rondo_stream_pool_t* pool,
                                                     const rondo_tensor_t* const* inputs,
                                                     size_t count);

/// Closes all streams and cancels the steps that wait.
RONDO_C_API rondo_status_t rondo_stream_pool_close(rondo_stream_pool_t* pool);

/// What a pool has done, from its creation on.
typedef struct rondo_stream_pool_info {
    uint64_t steps;     ///< that ended with outputs
    uint64_t failed;    ///< whose inference failed
    uint64_t dropped;   ///< that were cancelled, or dropped from a full queue
    uint64_t rejected;  ///< pushes that were RONDO_QUEUE_FULL
    uint64_t batches;
    uint64_t late;                 ///< steps that ended past their deadline
    const uint64_t* batch_counts;  ///< at [n]: how many batches had n steps
    size_t batch_count_size;       ///< of batch_counts
    size_t streams;                ///< that are open
    size_t waiting;                ///< steps that wait or run
    int64_t latency_p50_ns;        ///< from the push to the outputs; at most 4 % too large
    int64_t latency_p90_ns;
    int64_t latency_p99_ns;
    int64_t latency_max_ns;
    double occupancy;             ///< the share of the time in which its threads ran inferences
    const char* why_not_batched;  ///< why steps aren't batched; "" if they are
} rondo_stream_pool_info_t;

/// `*info` is freed with rondo_stream_pool_info_free(), which frees its array and text as well.
RONDO_C_API rondo_status_t rondo_stream_pool_stats(const rondo_stream_pool_t* pool,
                                                   rondo_stream_pool_info_t** info);
RONDO_C_API void rondo_stream_pool_info_free(rondo_stream_pool_info_t* info);

/// Queues a step. `inputs`: `count` tensors in the order of the model's inputs, with an extent of 1
/// along the batch axis; they are copied. `*step` is freed with rondo_stream_step_free().
RONDO_C_API rondo_status_t rondo_stream_push(rondo_stream_t* stream,
                                             const rondo_tensor_t* const* inputs, size_t count,
                                             rondo_stream_step_t** step);
/// The same by name.
RONDO_C_API rondo_status_t rondo_stream_push_named(rondo_stream_t* stream,
                                                   const rondo_named_tensor_t* inputs, size_t count,
                                                   rondo_stream_step_t** step);

/// How a step ended. `step` and `message`, which is "" for RONDO_OK, are valid during the call.
typedef void (*rondo_stream_callback_fn)(const rondo_stream_step_t* step, rondo_status_t status,
                                         const char* message, void* user_data);

/// As the two above, and calls `callback` once when the step has ended, on one of the pool's
/// threads, perhaps before the push returns. It may push, but not wait; it must not throw. `step`
/// may be NULL if no handle is wanted. The callback isn't called if the push fails.
RONDO_C_API rondo_status_t rondo_stream_push_with_callback(
    rondo_stream_t* stream, const rondo_tensor_t* const* inputs, size_t count,
    rondo_stream_callback_fn callback, void* user_data, rondo_stream_step_t** step);
RONDO_C_API rondo_status_t rondo_stream_push_named_with_callback(
    rondo_stream_t* stream, const rondo_named_tensor_t* inputs, size_t count,
    rondo_stream_callback_fn callback, void* user_data, rondo_stream_step_t** step);

/// Pushes and waits, on the calling thread if nothing else waits.
RONDO_C_API rondo_status_t rondo_stream_infer(rondo_stream_t* stream,
                                              const rondo_tensor_t* const* inputs, size_t count,
                                              rondo_stream_step_t** step);
RONDO_C_API rondo_status_t rondo_stream_infer_named(rondo_stream_t* stream,
                                                    const rondo_named_tensor_t* inputs,
                                                    size_t count, rondo_stream_step_t** step);

/// Tensors with their names.
typedef struct rondo_named_tensor_list rondo_named_tensor_list_t;

/// 0 for NULL.
RONDO_C_API size_t rondo_named_tensor_list_size(const rondo_named_tensor_list_t* list);
/// NULL if there is no such entry. The entries are an array, whose first one is at 0.
RONDO_C_API const rondo_named_tensor_t* rondo_named_tensor_list_at(
    const rondo_named_tensor_list_t* list, size_t index);
RONDO_C_API void rondo_named_tensor_list_free(rondo_named_tensor_list_t* list);

/// The variables after all steps that were pushed, with a batch extent of 1. `*state` is freed with
/// rondo_named_tensor_list_free().
RONDO_C_API rondo_status_t rondo_stream_state(const rondo_stream_t* stream,
                                              rondo_named_tensor_list_t** state);
/// Steps that are pushed from now on start from these values, which are copied; variables that
/// aren't named keep theirs.
RONDO_C_API rondo_status_t rondo_stream_set_state(rondo_stream_t* stream,
                                                  const rondo_named_tensor_t* state, size_t count);
/// The whole state as bytes, after all steps that were pushed: for rondo_stream_load_state() of a
/// stream of the same model, in this process or another one. `*bytes` is freed with
/// rondo_tensor_free().
RONDO_C_API rondo_status_t rondo_stream_save_state(const rondo_stream_t* stream,
                                                   rondo_tensor_t** bytes);
/// Steps that are pushed from now on go on from where that stream was. RONDO_MODEL_ERROR for
/// damaged bytes, or those of another model.
RONDO_C_API rondo_status_t rondo_stream_load_state(rondo_stream_t* stream,
                                                   const rondo_tensor_t* bytes);
/// Steps that are pushed from now on start as those of a new stream do.
RONDO_C_API rondo_status_t rondo_stream_reset(rondo_stream_t* stream);
/// Another stream that goes on from this one's state, after all steps that were pushed. It is freed
/// with rondo_stream_free().
RONDO_C_API rondo_status_t rondo_stream_fork(const rondo_stream_t* stream, rondo_stream_t** fork);

/// Cancels the steps that wait.
RONDO_C_API rondo_status_t rondo_stream_cancel(rondo_stream_t* stream);
/// The steps that were pushed still run; others can't be pushed.
RONDO_C_API rondo_status_t rondo_stream_close(rondo_stream_t* stream);
/// `*open` is 1 or 0.
RONDO_C_API rondo_status_t rondo_stream_is_open(const rondo_stream_t* stream, int* open);
/// Closes the stream. The steps that were pushed still run.
RONDO_C_API void rondo_stream_free(rondo_stream_t* stream);

/// Returns when the step has ended, with its status.
RONDO_C_API rondo_status_t rondo_stream_step_wait(const rondo_stream_step_t* step);
/// `*done` is 1 if it ended within `microseconds`, however, else 0.
RONDO_C_API rondo_status_t rondo_stream_step_wait_for(const rondo_stream_step_t* step,
                                                      int64_t microseconds, int* done);
/// `*done` is 1 or 0.
RONDO_C_API rondo_status_t rondo_stream_step_is_done(const rondo_stream_step_t* step, int* done);
/// Waits as rondo_stream_step_wait() does. The batch extent is 1. `*tensor` is a new handle.
RONDO_C_API rondo_status_t rondo_stream_step_get_tensor(const rondo_stream_step_t* step,
                                                        const char* output,
                                                        rondo_tensor_t** tensor);
RONDO_C_API rondo_status_t rondo_stream_step_get_output_tensor(const rondo_stream_step_t* step,
                                                               size_t index,
                                                               rondo_tensor_t** tensor);
/// A step that hasn't begun ends as RONDO_CANCELLED, and the stream goes on after it.
RONDO_C_API rondo_status_t rondo_stream_step_cancel(rondo_stream_step_t* step);
/// The step still runs.
RONDO_C_API void rondo_stream_step_free(rondo_stream_step_t* step);

#ifdef __cplusplus
}
#endif
