// The value of one of the model's variables in a request: reading, setting and resetting it.
#pragma once

#include "rondo/c/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Belongs to the list that it came from. Using it while the request's inference runs is
/// RONDO_MODEL_ERROR, as it is for the request itself.
typedef struct rondo_variable_state rondo_variable_state_t;

/// Made by rondo_infer_request_query_state(); keeps the request's variables alive.
typedef struct rondo_variable_state_list rondo_variable_state_list_t;

/// 0 for NULL.
RONDO_C_API size_t rondo_variable_state_list_size(const rondo_variable_state_list_t* list);
/// NULL if there is no such entry.
RONDO_C_API rondo_variable_state_t* rondo_variable_state_list_at(
    const rondo_variable_state_list_t* list, size_t index);
RONDO_C_API void rondo_variable_state_list_free(rondo_variable_state_list_t* list);

/// `*name` is the variable's id in the model; it lives as long as the list.
RONDO_C_API rondo_status_t rondo_variable_state_get_name(const rondo_variable_state_t* state,
                                                         const char** name);
/// A copy of the value that the next inference reads. If that will come from the variable's init
/// input: zeros, with open extents as small as allowed.
RONDO_C_API rondo_status_t rondo_variable_state_get_state(const rondo_variable_state_t* state,
                                                          rondo_tensor_t** tensor);
/// Copies the tensor, whose type must be the variable's and whose shape must be compatible with the
/// variable's.
RONDO_C_API rondo_status_t rondo_variable_state_set_state(rondo_variable_state_t* state,
                                                          const rondo_tensor_t* tensor);
/// Resets it: the next inference starts from the init input, or from zeros if there is none.
RONDO_C_API rondo_status_t rondo_variable_state_reset(rondo_variable_state_t* state);

#ifdef __cplusplus
}
#endif
