// A model that was read: its inputs, outputs and nodes, new shapes, and saving.
#pragma once

#include "rondo/c/element_type.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest extent of an axis that has no bound.
#define RONDO_INFINITY INT64_MAX

/// An input or output of a model or node.
typedef struct rondo_port_info {
    const char* name;          ///< the first of `names`
    const char* const* names;  ///< sorted
    size_t name_count;
    rondo_element_type_t element_type;
    int64_t rank;        ///< -1 if it isn't known
    const int64_t* min;  ///< `rank` extents: a closed interval an axis, min == max if known
    const int64_t* max;  ///< RONDO_INFINITY if there is no bound
    const char* shape;   ///< as text: "[1,?,2..10]", "[...]" for an unknown rank
} rondo_port_info_t;

typedef struct rondo_port_list rondo_port_list_t;

/// 0 for NULL.
RONDO_C_API size_t rondo_port_list_size(const rondo_port_list_t* list);
/// NULL if there is no such port.
RONDO_C_API const rondo_port_info_t* rondo_port_list_at(const rondo_port_list_t* list,
                                                        size_t index);
RONDO_C_API void rondo_port_list_free(rondo_port_list_t* list);

/// Where a node's input comes from; this struct never grows.
typedef struct rondo_node_source {
    size_t node;    ///< index into the list of nodes
    size_t output;  ///< of that node
} rondo_node_source_t;

/// One operation of a model.
typedef struct rondo_node_info {
    const char* name;
    const char* type;   ///< such as "LSTMSequence"
    const char* opset;  ///< such as "opset5"
    const rondo_property_t* attributes;
    size_t attribute_count;
    const rondo_node_source_t* inputs;
    size_t input_count;
    const rondo_port_list_t* outputs;  ///< belongs to the list of nodes
    size_t constant_bytes;             ///< of a Const
} rondo_node_info_t;

/// Every node comes after its producers.
typedef struct rondo_node_list rondo_node_list_t;

/// 0 for NULL.
RONDO_C_API size_t rondo_node_list_size(const rondo_node_list_t* list);
/// NULL if there is no such node.
RONDO_C_API const rondo_node_info_t* rondo_node_list_at(const rondo_node_list_t* list,
                                                        size_t index);
RONDO_C_API void rondo_node_list_free(rondo_node_list_t* list);

/// Made by rondo_core_read_model(). Don't change it while another thread uses it.
typedef struct rondo_model rondo_model_t;

RONDO_C_API void rondo_model_free(rondo_model_t* model);

/// `*name` belongs to the model.
RONDO_C_API rondo_status_t rondo_model_name(const rondo_model_t* model, const char** name);
RONDO_C_API rondo_status_t rondo_model_inputs(const rondo_model_t* model,
                                              rondo_port_list_t** ports);
RONDO_C_API rondo_status_t rondo_model_outputs(const rondo_model_t* model,
                                               rondo_port_list_t** ports);
/// The index of the port that has this name among its names; the error lists the known names.
RONDO_C_API rondo_status_t rondo_model_find_input(const rondo_model_t* model, const char* name,
                                                  size_t* index);
RONDO_C_API rondo_status_t rondo_model_find_output(const rondo_model_t* model, const char* name,
                                                   size_t* index);
RONDO_C_API rondo_status_t rondo_model_nodes(const rondo_model_t* model, rondo_node_list_t** nodes);
/// The graph as text, a line a node. Freed with rondo_string_free().
RONDO_C_API rondo_status_t rondo_model_to_text(const rondo_model_t* model, char** text);

/// A new shape for an input, as text: "1,?,3", "[2..10,-1]", "..."; this struct never grows.
typedef struct rondo_input_shape {
    const char* input;
    const char* shape;
} rondo_input_shape_t;

/// Gives the named inputs new shapes and infers all others again. On an error nothing changes.
/// RONDO_UNSUPPORTED if known extents are part of the model (see rondo::Model::reshape).
RONDO_C_API rondo_status_t rondo_model_reshape(rondo_model_t* model,
                                               const rondo_input_shape_t* shapes, size_t count);

/// The names of an input and of the output that is its next value; this struct never grows.
typedef struct rondo_state_pair {
    const char* input;
    const char* output;
} rondo_state_pair_t;

/// Makes a variable of each pair, which a request keeps from one inference to the next; it starts
/// as zeros. `count` 0 finds the pairs, or else the layers that start from zeros. On an error
/// nothing changes.
RONDO_C_API rondo_status_t rondo_model_make_stateful(rondo_model_t* model,
                                                     const rondo_state_pair_t* pairs, size_t count);
/// OpenVINO's LowLatency2: states of layers and loops become variables. They start as zeros, or as
/// they did before if `use_const_initializer` is 0. On an error nothing changes.
RONDO_C_API rondo_status_t rondo_model_apply_low_latency(rondo_model_t* model,
                                                         int use_const_initializer);

/// How the weights of recurrent layers are stored as integers. Initialise it with
/// RONDO_QUANTIZATION_OPTIONS_INIT; any field may stay as it is.
typedef struct rondo_quantization_options {
    size_t struct_size;  ///< sizeof(rondo_quantization_options_t), so that fields can be appended
    const char* format;  ///< "w8r16", "w8r8" or "w16r16"; NULL: the first
    const char* const* keep;  ///< names of layers that stay f32
    size_t keep_count;
    double least_decibels;  ///< layers whose weights would keep less signal to noise stay f32
    /// Layers with fewer weights a direction stay f32; 0: about as many as it takes to run faster
    /// than in f32.
    size_t least_weights;
} rondo_quantization_options_t;

#define RONDO_QUANTIZATION_OPTIONS_INIT \
    { sizeof(rondo_quantization_options_t), NULL, NULL, 0, 20.0, 0 }

/// What became of a recurrent layer.
typedef struct rondo_layer_quantization {
    const char* name;  ///< one of a body as in "loop/lstm"
    const char* type;  ///< such as "GRUSequence"
    const char* kept;  ///< why the layer stays f32; empty if it has integers now
    double decibels;   ///< of the weights' signal to noise; 0 if it wasn't computed
    size_t bytes;      ///< of W and R before
    size_t new_bytes;  ///< and now
} rondo_layer_quantization_t;

/// In the order in which the layers run.
typedef struct rondo_quantization_list rondo_quantization_list_t;

/// 0 for NULL.
RONDO_C_API size_t rondo_quantization_list_size(const rondo_quantization_list_t* list);
/// NULL if there is no such layer.
RONDO_C_API const rondo_layer_quantization_t* rondo_quantization_list_at(
    const rondo_quantization_list_t* list, size_t index);
RONDO_C_API void rondo_quantization_list_free(rondo_quantization_list_t* list);

/// Stores W and R of recurrent layers as integers, in which the CPU then computes; the portable
/// passes run first. `options` may be NULL. On an error nothing changes.
RONDO_C_API rondo_status_t rondo_model_quantize(rondo_model_t* model,
                                                const rondo_quantization_options_t* options,
                                                rondo_quantization_list_t** layers);

/// An independent copy (weights are shared).
RONDO_C_API rondo_status_t rondo_model_clone(const rondo_model_t* model, rondo_model_t** copy);

/// The closed interval of values that an integer input may hold, such as 1 to T for sequence
/// lengths. If the graph doesn't determine it, `*known` is 0 and the others don't change.
RONDO_C_API rondo_status_t rondo_model_value_range(const rondo_model_t* model, const char* input,
                                                   int* known, int64_t* min, int64_t* max);

/// Writes `path`: an IR (.xml) and its weights beside it (.bin), or an ONNX model (.onnx).
/// `compress_to_f16`: not 0 stores f32 and f64 constants as f16.
RONDO_C_API rondo_status_t rondo_model_save(const rondo_model_t* model, const char* path,
                                            int compress_to_f16);

/// How to write a model. Initialise it with RONDO_SAVE_OPTIONS_INIT; any field may stay as it is.
typedef struct rondo_save_options {
    size_t struct_size;  ///< sizeof(rondo_save_options_t), so that fields can be appended
    /// As what f32 and f64 constants are stored: RONDO_F16, RONDO_BF16 or RONDO_F32 (as they are).
    rondo_element_type_t weights;
    /// Not 0: larger constants of ONNX go to a file of the model's name followed by ".data",
    /// where those of a model of 2 GiB or more go anyway.
    int external_data;
} rondo_save_options_t;

#define RONDO_SAVE_OPTIONS_INIT \
    { sizeof(rondo_save_options_t), RONDO_F32, 0 }

/// The same with options, which may be NULL.
RONDO_C_API rondo_status_t rondo_model_save_with(const rondo_model_t* model, const char* path,
                                                 const rondo_save_options_t* options);

#ifdef __cplusplus
}
#endif
