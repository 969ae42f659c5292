// The parts of onnxruntime's C interface that the plugin uses, declared here: API 23 (onnxruntime
// 1.23), whose places and signatures no later release has moved. A test compares each of them with
// onnxruntime's own header, where that is installed. Names are onnxruntime's; no other part of its
// interface is needed to build the plugin.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::ort {

/// The version that is asked for, and that each struct says it was made for.
inline constexpr std::uint32_t kApiVersion = 23;
/// The version that has profilers.
inline constexpr std::uint32_t kProfilerVersion = 25;
/// The least release of onnxruntime, for messages.
inline constexpr const char* kLeastRelease = "1.23";

// Opaque types.
struct OrtAllocator;
struct OrtDataTransferImpl;
struct OrtEnv;
struct OrtEpDevice;
struct OrtEpGraphSupportInfo;
struct OrtGraph;
struct OrtHardwareDevice;
struct OrtKernelContext;
struct OrtKeyValuePairs;
struct OrtLogger;
struct OrtMemoryDevice;
struct OrtMemoryInfo;
struct OrtModelMetadata;
struct OrtNode;
struct OrtNodeComputeContext;
struct OrtOpAttr;
struct OrtRunOptions;
struct OrtSessionOptions;
struct OrtStatus;
struct OrtSyncStreamImpl;
struct OrtTensorTypeAndShapeInfo;
struct OrtTypeInfo;
struct OrtValue;
struct OrtValueInfo;

enum OrtErrorCode : unsigned {
    ORT_FAIL = 1,
    ORT_INVALID_ARGUMENT = 2,
    ORT_NOT_IMPLEMENTED = 9,
    ORT_EP_FAIL = 11
};

enum OrtLoggingLevel : unsigned {
    ORT_LOGGING_LEVEL_VERBOSE = 0,
    ORT_LOGGING_LEVEL_INFO = 1,
    ORT_LOGGING_LEVEL_WARNING = 2,
    ORT_LOGGING_LEVEL_ERROR = 3
};

enum OrtHardwareDeviceType : unsigned { OrtHardwareDeviceType_CPU = 0 };

enum OrtEpDataLayout : unsigned { OrtEpDataLayout_NCHW = 0 };

enum OrtCompiledModelCompatibility : unsigned {
    OrtCompiledModelCompatibility_EP_NOT_APPLICABLE = 0,
    OrtCompiledModelCompatibility_EP_SUPPORTED_OPTIMAL = 1,
    OrtCompiledModelCompatibility_EP_SUPPORTED_PREFER_RECOMPILATION = 2,
    OrtCompiledModelCompatibility_EP_UNSUPPORTED = 3
};

/// From onnxruntime 1.25 on.
enum OrtProfilingEventCategory { OrtProfilingEventCategory_KERNEL = 2 };

enum ONNXType : unsigned { ONNX_TYPE_TENSOR = 1 };

/// The numbers of TensorProto.DataType in ONNX, too.
enum ONNXTensorElementDataType : unsigned {};

enum OrtOpAttrType : unsigned {
    ORT_OP_ATTR_INT = 1,
    ORT_OP_ATTR_INTS = 2,
    ORT_OP_ATTR_FLOAT = 3,
    ORT_OP_ATTR_FLOATS = 4,
    ORT_OP_ATTR_STRING = 5,
    ORT_OP_ATTR_STRINGS = 6,
    ORT_OP_ATTR_GRAPH = 7,
    ORT_OP_ATTR_TENSOR = 8
};

struct OrtEp;
struct OrtEpFactory;
struct OrtEpProfilerImpl;
struct OrtNodeComputeInfo;
struct OrtEpApi;
struct OrtModelEditorApi;
struct OrtProfilingEvent;
struct OrtProfilingEventsContainer;

struct OrtNodeFusionOptions {
    std::uint32_t ort_version_supported;
    bool drop_constant_initializers;
};

/// A table of functions. `unused_N` keeps the place of those that the plugin doesn't call, the
/// first of which is number N.
struct OrtApi {
    OrtStatus* (*CreateStatus)(OrtErrorCode code, const char* msg);
    void* unused_1[1];
    const char* (*GetErrorMessage)(const OrtStatus* status);
    OrtStatus* (*CreateEnv)(OrtLoggingLevel log_severity_level, const char* logid, OrtEnv** out);
    void* unused_4[47];
    OrtStatus* (*GetTensorMutableData)(OrtValue* value, void** out);
    void* unused_52[3];
    OrtStatus* (*CastTypeInfoToTensorInfo)(const OrtTypeInfo* type_info,
                                           const OrtTensorTypeAndShapeInfo** out);
    OrtStatus* (*GetOnnxTypeFromTypeInfo)(const OrtTypeInfo* type_info, ONNXType* out);
    void* unused_57[3];
    OrtStatus* (*GetTensorElementType)(const OrtTensorTypeAndShapeInfo* info,
                                       ONNXTensorElementDataType* out);
    OrtStatus* (*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo* info, std::size_t* out);
    OrtStatus* (*GetDimensions)(const OrtTensorTypeAndShapeInfo* info, std::int64_t* dim_values,
                                std::size_t dim_values_length);
    OrtStatus* (*GetSymbolicDimensions)(const OrtTensorTypeAndShapeInfo* info,
                                        const char* dim_params[], std::size_t dim_params_length);
    void* unused_64[1];
    OrtStatus* (*GetTensorTypeAndShape)(const OrtValue* value, OrtTensorTypeAndShapeInfo** out);
    void* unused_66[10];
    OrtStatus* (*AllocatorFree)(OrtAllocator* ort_allocator, void* p);
    void* unused_77[1];
    OrtStatus* (*GetAllocatorWithDefaultOptions)(OrtAllocator** out);
    void* unused_79[11];
    OrtStatus* (*KernelContext_GetInput)(const OrtKernelContext* context, std::size_t index,
                                         const OrtValue** out);
    OrtStatus* (*KernelContext_GetOutput)(OrtKernelContext* context, std::size_t index,
                                          const std::int64_t* dim_values, std::size_t dim_count,
                                          OrtValue** out);
    void (*ReleaseEnv)(OrtEnv* input);
    void (*ReleaseStatus)(OrtStatus* input);
    void* unused_94[2];
    void (*ReleaseValue)(OrtValue* input);
    void* unused_97[2];
    void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo* input);
    void* unused_100[13];
    OrtStatus* (*ModelMetadataGetGraphName)(const OrtModelMetadata* model_metadata,
                                            OrtAllocator* allocator, char** value);
    void* unused_114[4];
    void (*ReleaseModelMetadata)(OrtModelMetadata* input);
    void* unused_119[92];
    OrtStatus* (*CreateOpAttr)(const char* name, const void* data, int len, OrtOpAttrType type,
                               OrtOpAttr** op_attr);
    void (*ReleaseOpAttr)(OrtOpAttr* input);
    void* unused_213[34];
    OrtStatus* (*Logger_LogMessage)(const OrtLogger* logger, OrtLoggingLevel log_severity_level,
                                    const char* message, const char* file_path, int line_number,
                                    const char* func_name);
    OrtStatus* (*Logger_GetLoggingSeverityLevel)(const OrtLogger* logger, OrtLoggingLevel* out);
    void* unused_249[23];
    OrtStatus* (*ReadOpAttr)(const OrtOpAttr* op_attr, OrtOpAttrType type, void* data,
                             std::size_t len, std::size_t* out);
    void* unused_273[16];
    OrtStatus* (*GetValueInfoName)(const OrtValueInfo* value_info, const char** name);
    OrtStatus* (*GetValueInfoTypeInfo)(const OrtValueInfo* value_info,
                                       const OrtTypeInfo** type_info);
    const OrtModelEditorApi* (*GetModelEditorApi)();
    void* unused_292[6];
    void (*GetKeyValuePairs)(const OrtKeyValuePairs* kvps, const char* const** keys,
                             const char* const** values, std::size_t* num_entries);
    void* unused_299[1];
    void (*ReleaseKeyValuePairs)(OrtKeyValuePairs* input);
    OrtStatus* (*RegisterExecutionProviderLibrary)(OrtEnv* env, const char* registration_name,
                                                   const char* path);
    void* unused_302[1];
    OrtStatus* (*GetEpDevices)(const OrtEnv* env, const OrtEpDevice* const** ep_devices,
                               std::size_t* num_ep_devices);
    OrtStatus* (*SessionOptionsAppendExecutionProvider_V2)(
        OrtSessionOptions* session_options, OrtEnv* env, const OrtEpDevice* const* ep_devices,
        std::size_t num_ep_devices, const char* const* ep_option_keys,
        const char* const* ep_option_vals, std::size_t num_ep_options);
    void* unused_305[2];
    OrtHardwareDeviceType (*HardwareDevice_Type)(const OrtHardwareDevice* device);
    void* unused_308[4];
    const char* (*EpDevice_EpName)(const OrtEpDevice* ep_device);
    void* unused_313[4];
    const OrtEpApi* (*GetEpApi)();
    OrtStatus* (*GetTensorSizeInBytes)(const OrtValue* ort_value, std::size_t* size);
    void* unused_319[7];
    OrtStatus* (*ValueInfo_GetInitializerValue)(const OrtValueInfo* value_info,
                                                const OrtValue** initializer_value);
    void* unused_327[4];
    OrtStatus* (*ValueInfo_IsConstantInitializer)(const OrtValueInfo* value_info,
                                                  bool* is_constant_initializer);
    OrtStatus* (*ValueInfo_IsFromOuterScope)(const OrtValueInfo* value_info,
                                             bool* is_from_outer_scope);
    OrtStatus* (*Graph_GetName)(const OrtGraph* graph, const char** graph_name);
    OrtStatus* (*Graph_GetModelPath)(const OrtGraph* graph, const char** model_path);
    void* unused_335[1];
    OrtStatus* (*Graph_GetNumOperatorSets)(const OrtGraph* graph, std::size_t* num_operator_sets);
    OrtStatus* (*Graph_GetOperatorSets)(const OrtGraph* graph, const char** domains,
                                        std::int64_t* opset_versions,
                                        std::size_t num_operator_sets);
    OrtStatus* (*Graph_GetNumInputs)(const OrtGraph* graph, std::size_t* num_inputs);
    OrtStatus* (*Graph_GetInputs)(const OrtGraph* graph, const OrtValueInfo** inputs,
                                  std::size_t num_inputs);
    OrtStatus* (*Graph_GetNumOutputs)(const OrtGraph* graph, std::size_t* num_outputs);
    OrtStatus* (*Graph_GetOutputs)(const OrtGraph* graph, const OrtValueInfo** outputs,
                                   std::size_t num_outputs);
    OrtStatus* (*Graph_GetNumInitializers)(const OrtGraph* graph, std::size_t* num_initializers);
    OrtStatus* (*Graph_GetInitializers)(const OrtGraph* graph, const OrtValueInfo** initializers,
                                        std::size_t num_initializers);
    OrtStatus* (*Graph_GetNumNodes)(const OrtGraph* graph, std::size_t* num_nodes);
    OrtStatus* (*Graph_GetNodes)(const OrtGraph* graph, const OrtNode** nodes,
                                 std::size_t num_nodes);
    OrtStatus* (*Graph_GetParentNode)(const OrtGraph* graph, const OrtNode** node);
    void* unused_347[1];
    OrtStatus* (*Node_GetId)(const OrtNode* node, std::size_t* node_id);
    OrtStatus* (*Node_GetName)(const OrtNode* node, const char** node_name);
    OrtStatus* (*Node_GetOperatorType)(const OrtNode* node, const char** operator_type);
    OrtStatus* (*Node_GetDomain)(const OrtNode* node, const char** domain_name);
    void* unused_352[1];
    OrtStatus* (*Node_GetNumInputs)(const OrtNode* node, std::size_t* num_inputs);
    OrtStatus* (*Node_GetInputs)(const OrtNode* node, const OrtValueInfo** inputs,
                                 std::size_t num_inputs);
    OrtStatus* (*Node_GetNumOutputs)(const OrtNode* node, std::size_t* num_outputs);
    OrtStatus* (*Node_GetOutputs)(const OrtNode* node, const OrtValueInfo** outputs,
                                  std::size_t num_outputs);
    OrtStatus* (*Node_GetNumImplicitInputs)(const OrtNode* node, std::size_t* num_implicit_inputs);
    OrtStatus* (*Node_GetImplicitInputs)(const OrtNode* node, const OrtValueInfo** implicit_inputs,
                                         std::size_t num_implicit_inputs);
    OrtStatus* (*Node_GetNumAttributes)(const OrtNode* node, std::size_t* num_attributes);
    OrtStatus* (*Node_GetAttributes)(const OrtNode* node, const OrtOpAttr** attributes,
                                     std::size_t num_attributes);
    void* unused_361[1];
    OrtStatus* (*OpAttr_GetTensorAttributeAsOrtValue)(const OrtOpAttr* attribute,
                                                      OrtValue** attr_tensor);
    OrtStatus* (*OpAttr_GetType)(const OrtOpAttr* attribute, OrtOpAttrType* type);
    OrtStatus* (*OpAttr_GetName)(const OrtOpAttr* attribute, const char** name);
    OrtStatus* (*Node_GetNumSubgraphs)(const OrtNode* node, std::size_t* num_subgraphs);
    OrtStatus* (*Node_GetSubgraphs)(const OrtNode* node, const OrtGraph** subgraphs,
                                    std::size_t num_subgraphs, const char** attribute_names);
    void* unused_367[11];
    OrtStatus* (*GetTensorData)(const OrtValue* value, const void** out);
    OrtStatus* (*GetSessionOptionsConfigEntries)(const OrtSessionOptions* options,
                                                 OrtKeyValuePairs** out);
    void* unused_380[7];
    OrtStatus* (*Graph_GetModelMetadata)(const OrtGraph* graph, OrtModelMetadata** out);
    void* unused_388[2];
};

/// Functions of OrtApi past API 23, which onnxruntime has from 1.24 on. Whether a type says a
/// shape: without it a shape of no extents may be a scalar's or an unknown one. And a tensor's type
/// and shape where onnxruntime keeps them, in place of an object that describes them.
struct OrtApi24 {
    OrtApi api;
    bool (*TensorTypeAndShape_HasShape)(const OrtTensorTypeAndShapeInfo* info);
    void* unused_391[23];
    OrtStatus* (*GetTensorElementTypeAndShapeDataReference)(const OrtValue* value,
                                                            ONNXTensorElementDataType* elem_type,
                                                            const std::int64_t** shape_data,
                                                            std::size_t* shape_data_count);
};

struct OrtEpApi {
    OrtStatus* (*CreateEpDevice)(OrtEpFactory* ep_factory, const OrtHardwareDevice* hardware_device,
                                 const OrtKeyValuePairs* ep_metadata,
                                 const OrtKeyValuePairs* ep_options, OrtEpDevice** ep_device);
    void* unused_1[1];
    OrtStatus* (*EpGraphSupportInfo_AddNodesToFuse)(
        OrtEpGraphSupportInfo* graph_support_info, const OrtNode* const* nodes,
        std::size_t num_nodes, const OrtNodeFusionOptions* node_fusion_options);
};

/// The functions past API 23 that profiles need, from onnxruntime 1.25 on. Their places were
/// counted in its header, which the test of the declarations doesn't have.
struct OrtEpApi25 {
    OrtEpApi api;
    void* unused_3[62];
    OrtStatus* (*CreateProfilingEvent)(OrtProfilingEventCategory category, std::int32_t process_id,
                                       std::int32_t thread_id, const char* event_name,
                                       std::int64_t timestamp_us, std::int64_t duration_us,
                                       const char* const* arg_keys, const char* const* arg_values,
                                       std::size_t num_args, OrtProfilingEvent** out);
    void (*ReleaseProfilingEvent)(OrtProfilingEvent* input);
    void* unused_67[5];
    OrtStatus* (*ProfilingEventsContainer_AddEvents)(OrtProfilingEventsContainer* events_container,
                                                     const OrtProfilingEvent* const* events,
                                                     std::size_t num_events);
};

struct OrtModelEditorApi {
    void* unused_0[6];
    /// Takes the attributes, unless it fails.
    OrtStatus* (*CreateNode)(const char* operator_name, const char* domain_name,
                             const char* node_name, const char* const* input_names,
                             std::size_t input_names_len, const char* const* output_names,
                             std::size_t output_names_len, OrtOpAttr** attributes,
                             std::size_t attribs_len, OrtNode** node);
};

struct OrtApiBase {
    const OrtApi* (*GetApi)(std::uint32_t version);
    const char* (*GetVersionString)();
};

// What the plugin fills in.

struct OrtNodeComputeInfo {
    std::uint32_t ort_version_supported;
    OrtStatus* (*CreateState)(OrtNodeComputeInfo* this_ptr, OrtNodeComputeContext* compute_context,
                              void** compute_state);
    OrtStatus* (*Compute)(OrtNodeComputeInfo* this_ptr, void* compute_state,
                          OrtKernelContext* kernel_context);
    void (*ReleaseState)(OrtNodeComputeInfo* this_ptr, void* compute_state);
};

struct OrtEp {
    std::uint32_t ort_version_supported;
    const char* (*GetName)(const OrtEp* this_ptr);
    OrtStatus* (*GetCapability)(OrtEp* this_ptr, const OrtGraph* graph,
                                OrtEpGraphSupportInfo* graph_support_info);
    OrtStatus* (*Compile)(OrtEp* this_ptr, const OrtGraph** graphs, const OrtNode** fused_nodes,
                          std::size_t count, OrtNodeComputeInfo** node_compute_infos,
                          OrtNode** ep_context_nodes);
    void (*ReleaseNodeComputeInfos)(OrtEp* this_ptr, OrtNodeComputeInfo** node_compute_infos,
                                    std::size_t num_node_compute_infos);
    OrtStatus* (*GetPreferredDataLayout)(OrtEp* this_ptr, OrtEpDataLayout* preferred_data_layout);
    OrtStatus* (*ShouldConvertDataLayoutForOp)(OrtEp* this_ptr, const char* domain,
                                               const char* op_type,
                                               OrtEpDataLayout target_data_layout,
                                               int* should_convert);
    OrtStatus* (*SetDynamicOptions)(OrtEp* this_ptr, const char* const* option_keys,
                                    const char* const* option_values, std::size_t num_options);
    OrtStatus* (*OnRunStart)(OrtEp* this_ptr, const OrtRunOptions* run_options);
    OrtStatus* (*OnRunEnd)(OrtEp* this_ptr, const OrtRunOptions* run_options, bool sync_stream);
    OrtStatus* (*CreateAllocator)(OrtEp* this_ptr, const OrtMemoryInfo* memory_info,
                                  OrtAllocator** allocator);
    OrtStatus* (*CreateSyncStreamForDevice)(OrtEp* this_ptr, const OrtMemoryDevice* memory_device,
                                            OrtSyncStreamImpl** stream);
    const char* (*GetCompiledModelCompatibilityInfo)(OrtEp* this_ptr, const OrtGraph* graph);
};

/// What onnxruntime 1.25 calls besides, if the version that the struct names is 25. The places
/// after it are null: onnxruntime does without what is there.
struct OrtEp25 : OrtEp {
    void* unused_12[3] = {};
    OrtStatus* (*CreateProfiler)(OrtEp* this_ptr, OrtEpProfilerImpl** profiler) = nullptr;
    void* unused_16[16] = {};
};
static_assert(sizeof(OrtEp25) == sizeof(OrtEp) + 20 * sizeof(void*));

/// From onnxruntime 1.25 on; checked against its header by hand, as OrtEpApi25 is.
struct OrtEpProfilerImpl {
    std::uint32_t ort_version_supported = 0;
    void (*Release)(OrtEpProfilerImpl* this_ptr) = nullptr;
    OrtStatus* (*StartProfiling)(OrtEpProfilerImpl* this_ptr,
                                 std::int64_t ep_profiling_start_offset_ns) = nullptr;
    void* unused_2[2] = {};
    OrtStatus* (*EndProfiling)(OrtEpProfilerImpl* this_ptr,
                               OrtProfilingEventsContainer* events_container) = nullptr;
};

struct OrtEpFactory {
    std::uint32_t ort_version_supported;
    const char* (*GetName)(const OrtEpFactory* this_ptr);
    const char* (*GetVendor)(const OrtEpFactory* this_ptr);
    OrtStatus* (*GetSupportedDevices)(OrtEpFactory* this_ptr,
                                      const OrtHardwareDevice* const* devices,
                                      std::size_t num_devices, OrtEpDevice** ep_devices,
                                      std::size_t max_ep_devices, std::size_t* num_ep_devices);
    OrtStatus* (*CreateEp)(OrtEpFactory* this_ptr, const OrtHardwareDevice* const* devices,
                           const OrtKeyValuePairs* const* ep_metadata_pairs,
                           std::size_t num_devices, const OrtSessionOptions* session_options,
                           const OrtLogger* logger, OrtEp** ep);
    void (*ReleaseEp)(OrtEpFactory* this_ptr, OrtEp* ep);
    std::uint32_t (*GetVendorId)(const OrtEpFactory* this_ptr);
    const char* (*GetVersion)(const OrtEpFactory* this_ptr);
    OrtStatus* (*ValidateCompiledModelCompatibilityInfo)(
        OrtEpFactory* this_ptr, const OrtHardwareDevice* const* devices, std::size_t num_devices,
        const char* compatibility_info, OrtCompiledModelCompatibility* model_compatibility);
    OrtStatus* (*CreateAllocator)(OrtEpFactory* this_ptr, const OrtMemoryInfo* memory_info,
                                  const OrtKeyValuePairs* allocator_options,
                                  OrtAllocator** allocator);
    void (*ReleaseAllocator)(OrtEpFactory* this_ptr, OrtAllocator* allocator);
    OrtStatus* (*CreateDataTransfer)(OrtEpFactory* this_ptr, OrtDataTransferImpl** data_transfer);
    bool (*IsStreamAware)(const OrtEpFactory* this_ptr);
    OrtStatus* (*CreateSyncStreamForDevice)(OrtEpFactory* this_ptr,
                                            const OrtMemoryDevice* memory_device,
                                            const OrtKeyValuePairs* stream_options,
                                            OrtSyncStreamImpl** stream);
};

}  // namespace rondo::ort
