// What the files of the exercise share.
#pragma once

#include <rondo/rondo.h>

/// Prints what doesn't hold, and counts it.
void fault(const char* file, int line, const char* text);

#define CHECK(condition) ((condition) ? (void)0 : fault(__FILE__, __LINE__, #condition))
#define OK(call) CHECK((call) == RONDO_OK)

/// Calls every function of rondo/c/stream_pool.h with the model
/// tests/data/ir/openvino_stateful.xml.
void use_streams(const rondo_core_t* core, const char* path);
