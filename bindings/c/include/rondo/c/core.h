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

/// An ONNX message in memory, with the files of its external data; this struct never grows.
typedef struct rondo_onnx_message {
    const void* data;  ///< not used after the call
    size_t size;
    const rondo_named_tensor_t* files;  ///< their bytes by location, which a model keeps
    size_t file_count;
} rondo_onnx_message_t;

/// Weights that lie in a file of `message` are not copied. `properties` (of reading) may be NULL if
/// there are none.
RONDO_C_API rondo_status_t rondo_core_read_message(const rondo_core_t* core,
                                                   const rondo_onnx_message_t* message,
                                                   const rondo_property_t* properties,
                                                   size_t property_count, rondo_model_t** model);

/// Whether a node of an ONNX model can be read.
typedef struct rondo_node_support {
    const char* name;     ///< as messages call it: the node's, or "LSTM_3" if it has none
    const char* op_type;  ///< "LSTM", or with its domain: "com.microsoft.Gelu"
    int supported;
    const char* reason;  ///< why it isn't; "" if it is
} rondo_node_support_t;

typedef struct rondo_node_support_list rondo_node_support_list_t;

/// 0 for NULL.
RONDO_C_API size_t rondo_node_support_list_size(const rondo_node_support_list_t* list);
/// NULL if there is no such row.
RONDO_C_API const rondo_node_support_t* rondo_node_support_list_at(
    const rondo_node_support_list_t* list, size_t index);
RONDO_C_API void rondo_node_support_list_free(rondo_node_support_list_t* list);

/// A row for each node of an ONNX model's main graph, in the file's order; nothing is compiled. A
/// node after one that isn't supported is looked at if the model declares the type and shape of
/// what lies between. `*rows` is freed with rondo_node_support_list_free().
RONDO_C_API rondo_status_t rondo_core_query_model(const rondo_core_t* core, const char* path,
                                                  const rondo_property_t* properties,
                                                  size_t property_count,
                                                  rondo_node_support_list_t** rows);
/// The same from memory.
RONDO_C_API rondo_status_t rondo_core_query_message(const rondo_core_t* core,
                                                    const rondo_onnx_message_t* message,
                                                    const rondo_property_t* properties,
                                                    size_t property_count,
                                                    rondo_node_support_list_t** rows);

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

/// How many threads models get that are compiled from now on without INFERENCE_NUM_THREADS, in the
/// whole process. 0, as at first: the cores, the quota or OMP_NUM_THREADS, whichever is smallest.
RONDO_C_API rondo_status_t rondo_set_default_threads(size_t threads);

#ifdef __cplusplus
}
#endif
