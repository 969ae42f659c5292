// Where log messages go.
#pragma once

#include "rondo/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rondo_log_level {
    RONDO_LOG_WARNING = 1,
    RONDO_LOG_INFO = 2,
    RONDO_LOG_DEBUG = 3
} rondo_log_level_t;

/// Receives a line without its end; the text is valid during the call. Must not throw. Any thread
/// calls it, also several at once.
typedef void (*rondo_log_fn)(rondo_log_level_t level, const char* message, void* user_data);

/// Messages of the whole process go to `callback` instead of the standard error stream; NULL brings
/// that back. The property LOG_LEVEL says which there are; without it the variable RONDO_LOG.
RONDO_C_API rondo_status_t rondo_set_log_callback(rondo_log_fn callback, void* user_data);

#ifdef __cplusplus
}
#endif
