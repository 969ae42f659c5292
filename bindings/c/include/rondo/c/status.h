// The status codes and messages of the C API, and lists of text.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(RONDO_BUILDING)
#define RONDO_C_API __attribute__((visibility("default")))
#else
#define RONDO_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rondo_status {
    RONDO_OK = 0,
    RONDO_MODEL_ERROR = 1,       ///< the caller's file or argument is wrong
    RONDO_UNSUPPORTED = 2,       ///< valid, but Rondo can't do it
    RONDO_INTERNAL_ERROR = 3,    ///< a bug in Rondo
    RONDO_CANCELLED = 4,         ///< the inference or the stream's step was cancelled
    RONDO_INVALID_ARGUMENT = 5,  ///< a pointer is NULL, or a number isn't in its enum
    RONDO_OUT_OF_MEMORY = 6,
    RONDO_QUEUE_FULL = 7,  ///< a stream's queue is full, or the pool has `max_streams`
    RONDO_STATUS_FORCE_INT = 0x7fffffff  ///< not a status: makes any int a valid value in C++
} rondo_status_t;

/// The message of the last call that failed on this thread, in one line; "" if none failed. Valid
/// until the next call that fails on this thread.
RONDO_C_API const char* rondo_last_error_message(void);

/// "RONDO_OK" and so on; "unknown status" for other numbers.
RONDO_C_API const char* rondo_status_name(rondo_status_t status);

/// Rondo's version, such as "0.1.0".
RONDO_C_API const char* rondo_version(void);

/// Frees a `char*` that a function returned to the caller.
RONDO_C_API void rondo_string_free(char* text);

/// A name with a value; this struct never grows.
typedef struct rondo_property {
    const char* name;
    const char* value;
} rondo_property_t;

/// Texts in order.
typedef struct rondo_string_list rondo_string_list_t;

/// 0 for NULL.
RONDO_C_API size_t rondo_string_list_size(const rondo_string_list_t* list);
/// NULL if there is no such entry. Lives as long as the list, as do entries of all lists.
RONDO_C_API const char* rondo_string_list_at(const rondo_string_list_t* list, size_t index);
RONDO_C_API void rondo_string_list_free(rondo_string_list_t* list);

#ifdef __cplusplus
}
#endif
