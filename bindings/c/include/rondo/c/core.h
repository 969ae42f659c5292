// The entry: reads models and compiles them for devices.
#pragma once

#include "rondo/c/compiled_model.h"
#include "rondo/c/model.h"
#include "rondo/c/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Thread-safe.
typedef struct rondo_core rondo_core_t;

RONDO_C_API rondo_status_t rondo_core_create(rondo_core_t** core);
RONDO_C_API void rondo_core_free(rondo_core_t* core);

/// Reads an ONNX model or an IR (.xml), by content. `weights_path` may be NULL: the IR's weights
/// file is then beside it.
RONDO_C_API rondo_status_t rondo_core_read_model(const rondo_core_t* core, const char* path,
                                                 const char* weights_path, rondo_model_t** model);
/// The same from memory: an ONNX message, or an IR's XML. The bytes are not used after the call.
/// `weights` (the IR's, a tensor of bytes) may be NULL; the model keeps it.
RONDO_C_API rondo_status_t rondo_core_read_model_from_memory(const rondo_core_t* core,
                                                             const void* data, size_t size,
                                                             const rondo_tensor_t* weights,
                                                             rondo_model_t** model);

/// Receives text that is valid during the call. Must not throw.
typedef void (*rondo_text_fn)(const char* text, void* user_data);

/// How to run and observe the passes. Initialise it with RONDO_TRANSFORM_OPTIONS_INIT; any field
/// may stay 0.
typedef struct rondo_transform_options {
    size_t struct_size;      ///< sizeof(rondo_transform_options_t), so that fields can be appended
    rondo_text_fn print;     ///< called with a line after each pass
    const char* dump_after;  ///< after the pass of that name ...
    rondo_text_fn dump;      ///< ... this is called with the graph's text
    void* user_data;         ///< passed to both
    const char* stop_after;  ///< passes after this one are not run
    int validate;            ///< not 0: checks the graph after every pass, and that passes settle
} rondo_transform_options_t;

#define RONDO_TRANSFORM_OPTIONS_INIT \
    { sizeof(rondo_transform_options_t), 0, 0, 0, 0, 0, 0 }

/// Runs the portable passes in place: what `rondo compile` does before it writes the IR. `options`
/// may be NULL.
RONDO_C_API rondo_status_t rondo_core_transform(const rondo_core_t* core, rondo_model_t* model,
                                                const rondo_transform_options_t* options);

/// `device`: "CPU", "REFERENCE" or one that was registered. `properties` may be NULL if there
/// are none. The model may be freed afterwards.
RONDO_C_API rondo_status_t rondo_core_compile_model(const rondo_core_t* core,
                                                    const rondo_model_t* model, const char* device,
                                                    const rondo_property_t* properties,
                                                    size_t property_count,
                                                    rondo_compiled_model_t** compiled);
/// Reads and compiles in one call.
RONDO_C_API rondo_status_t rondo_core_compile_model_from_file(const rondo_core_t* core,
                                                              const char* path, const char* device,
                                                              const rondo_property_t* properties,
                                                              size_t property_count,
                                                              rondo_compiled_model_t** compiled);

RONDO_C_API rondo_status_t rondo_core_get_available_devices(const rondo_core_t* core,
                                                            rondo_string_list_t** devices);

/// The device's version number and what it is. Both are freed with rondo_string_free().
RONDO_C_API rondo_status_t rondo_core_get_version(const rondo_core_t* core, const char* device,
                                                  char** build_number, char** description);

RONDO_C_API rondo_status_t rondo_core_set_property(rondo_core_t* core, const char* device,
                                                   const rondo_property_t* properties,
                                                   size_t property_count);
/// `*value` is freed with rondo_string_free().
RONDO_C_API rondo_status_t rondo_core_get_property(const rondo_core_t* core, const char* device,
                                                   const char* name, char** value);

/// Loads a device from a shared library under the name `name`; docs/how_to_add_a_device.md shows
/// how to write one, in C++.
RONDO_C_API rondo_status_t rondo_core_register_plugin(rondo_core_t* core, const char* path,
                                                      const char* name);

#ifdef __cplusplus
}
#endif
