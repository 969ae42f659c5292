#include "tests/unit/bindings/onnxruntime/stub/host_api.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

extern "C" rondo::ort::OrtStatus* CreateEpFactories(const char* name,
                                                    const rondo::ort::OrtApiBase* base,
                                                    const rondo::ort::OrtLogger* logger,
                                                    rondo::ort::OrtEpFactory** factories,
                                                    std::size_t most, std::size_t* count);

namespace rondo::ort {
namespace {

OrtStatus* status(const std::string& text, OrtErrorCode code = ORT_FAIL) {
    return new OrtStatus{code, text};
}

// A status if the test wants this function to fail.
OrtStatus* fault(const char* function) {
    auto& faults = host_state().faults;
    if (faults.function != function) return nullptr;
    if (faults.after-- > 0) return nullptr;
    return status(std::string(function) + " has failed");
}

// Gives a result, unless the function fails.
template <typename Result, typename Value>
OrtStatus* give(const char* function, Result* out, const Value& value) {
    if (auto* failed = fault(function)) return failed;
    *out = static_cast<Result>(value);
    return nullptr;
}

template <typename Item, typename List>
OrtStatus* fill(const char* function, const List& list, Item* out, std::size_t count) {
    if (auto* failed = fault(function)) return failed;
    if (count != list.size()) return status(std::string(function) + ": another number of items");
    std::copy(list.begin(), list.end(), out);
    return nullptr;
}

std::size_t element_bytes(int type) {
    switch (type) {
        case 2:
        case 3:
        case 9: return 1;
        case 4:
        case 5:
        case 10:
        case 16: return 2;
        case 7:
        case 11:
        case 13: return 8;
        default: return 4;
    }
}

std::size_t bytes_of(const OrtTensorTypeAndShapeInfo& form) {
    return std::accumulate(form.extents.begin(), form.extents.end(),
                           element_bytes(form.element_type),
                           [](std::size_t bytes, std::int64_t extent) {
                               return bytes * static_cast<std::size_t>(extent);
                           });
}

void set_values(OrtApi& api) {
    api.CreateStatus = [](OrtErrorCode code, const char* text) { return status(text, code); };
    api.GetErrorMessage = [](const OrtStatus* one) { return one->text.c_str(); };
    api.ReleaseStatus = [](OrtStatus* one) { delete one; };
    api.GetTensorMutableData = [](OrtValue* value, void** out) {
        return give("GetTensorMutableData", out, value->data());
    };
    api.GetTensorData = [](const OrtValue* value, const void** out) {
        return give("GetTensorData", out, const_cast<OrtValue*>(value)->data());
    };
    api.GetTensorSizeInBytes = [](const OrtValue* value, std::size_t* out) {
        return give("GetTensorSizeInBytes", out, bytes_of(value->form));
    };
    api.GetTensorTypeAndShape = [](const OrtValue* value, OrtTensorTypeAndShapeInfo** out) {
        if (auto* failed = fault("GetTensorTypeAndShape")) return failed;
        *out = new OrtTensorTypeAndShapeInfo(value->form);
        return static_cast<OrtStatus*>(nullptr);
    };
    api.ReleaseTensorTypeAndShapeInfo = [](OrtTensorTypeAndShapeInfo* form) { delete form; };
    api.ReleaseValue = [](OrtValue* value) { delete value; };
    api.CastTypeInfoToTensorInfo = [](const OrtTypeInfo* type,
                                      const OrtTensorTypeAndShapeInfo** out) {
        return give("CastTypeInfoToTensorInfo", out, type->is_tensor ? &type->tensor : nullptr);
    };
    api.GetOnnxTypeFromTypeInfo = [](const OrtTypeInfo* type, ONNXType* out) {
        return give("GetOnnxTypeFromTypeInfo", out, type->is_tensor ? 1 : 2);
    };
    api.GetTensorElementType = [](const OrtTensorTypeAndShapeInfo* form,
                                  ONNXTensorElementDataType* out) {
        return give("GetTensorElementType", out, form->element_type);
    };
    api.GetDimensionsCount = [](const OrtTensorTypeAndShapeInfo* form, std::size_t* out) {
        return give("GetDimensionsCount", out, form->extents.size());
    };
    api.GetDimensions = [](const OrtTensorTypeAndShapeInfo* form, std::int64_t* out,
                           std::size_t count) {
        return fill("GetDimensions", form->extents, out, count);
    };
    api.GetSymbolicDimensions = [](const OrtTensorTypeAndShapeInfo* form, const char** out,
                                   std::size_t count) {
        std::vector<const char*> symbols(form->extents.size(), "");
        for (std::size_t i = 0; i < form->symbols.size(); ++i)
            symbols[i] = form->symbols[i].c_str();
        return fill("GetSymbolicDimensions", symbols, out, count);
    };
}

void set_value_infos(OrtApi& api) {
    api.GetValueInfoName = [](const OrtValueInfo* value, const char** out) {
        return give("GetValueInfoName", out, value->name.c_str());
    };
    api.GetValueInfoTypeInfo = [](const OrtValueInfo* value, const OrtTypeInfo** out) {
        return give("GetValueInfoTypeInfo", out, &value->type);
    };
    api.ValueInfo_GetInitializerValue = [](const OrtValueInfo* value, const OrtValue** out) {
        if (host_state().hides_outer && value->is_from_outer_scope) {
            return status("unknown initializer", ORT_FAIL);
        }
        return give("ValueInfo_GetInitializerValue", out, value->constant.get());
    };
    api.ValueInfo_IsConstantInitializer = [](const OrtValueInfo* value, bool* out) {
        return give("ValueInfo_IsConstantInitializer", out, value->constant != nullptr);
    };
    api.ValueInfo_IsFromOuterScope = [](const OrtValueInfo* value, bool* out) {
        return give("ValueInfo_IsFromOuterScope", out, value->is_from_outer_scope);
    };
}

void set_graphs(OrtApi& api) {
    api.Graph_GetName = [](const OrtGraph* graph, const char** out) {
        return give("Graph_GetName", out, graph->name.c_str());
    };
    api.Graph_GetModelPath = [](const OrtGraph*, const char** out) {
        return give("Graph_GetModelPath", out, host_state().model_path.c_str());
    };
    api.Graph_GetNumOperatorSets = [](const OrtGraph* graph, std::size_t* out) {
        return give("Graph_GetNumOperatorSets", out, graph->opsets.size());
    };
    api.Graph_GetOperatorSets = [](const OrtGraph* graph, const char** domains,
                                   std::int64_t* versions, std::size_t) {
        for (const auto& [domain, version] : graph->opsets) {
            *domains++ = domain.c_str();
            *versions++ = version;
        }
        return fault("Graph_GetOperatorSets");
    };
    api.Graph_GetNumInputs = [](const OrtGraph* graph, std::size_t* out) {
        return give("Graph_GetNumInputs", out, graph->inputs.size());
    };
    api.Graph_GetInputs = [](const OrtGraph* graph, const OrtValueInfo** out, std::size_t count) {
        return fill("Graph_GetInputs", graph->inputs, out, count);
    };
    api.Graph_GetNumOutputs = [](const OrtGraph* graph, std::size_t* out) {
        return give("Graph_GetNumOutputs", out, graph->outputs.size());
    };
    api.Graph_GetOutputs = [](const OrtGraph* graph, const OrtValueInfo** out, std::size_t count) {
        return fill("Graph_GetOutputs", graph->outputs, out, count);
    };
    api.Graph_GetNumInitializers = [](const OrtGraph* graph, std::size_t* out) {
        return give("Graph_GetNumInitializers", out, graph->initializers.size());
    };
    api.Graph_GetInitializers = [](const OrtGraph* graph, const OrtValueInfo** out,
                                   std::size_t count) {
        return fill("Graph_GetInitializers", graph->initializers, out, count);
    };
    api.Graph_GetNumNodes = [](const OrtGraph* graph, std::size_t* out) {
        return give("Graph_GetNumNodes", out, graph->nodes.size());
    };
    api.Graph_GetNodes = [](const OrtGraph* graph, const OrtNode** out, std::size_t count) {
        std::vector<const OrtNode*> nodes;
        for (const auto& node : graph->nodes) nodes.push_back(node.get());
        return fill("Graph_GetNodes", nodes, out, count);
    };
    api.Graph_GetModelMetadata = [](const OrtGraph* graph, OrtModelMetadata** out) {
        if (auto* failed = fault("Graph_GetModelMetadata")) return failed;
        while (graph->outer != nullptr) graph = graph->outer;
        *out = new OrtModelMetadata{graph->name};
        return static_cast<OrtStatus*>(nullptr);
    };
    api.ReleaseModelMetadata = [](OrtModelMetadata* metadata) { delete metadata; };
    api.GetAllocatorWithDefaultOptions = [](OrtAllocator** out) {
        return give("GetAllocatorWithDefaultOptions", out, nullptr);
    };
    api.ModelMetadataGetGraphName = [](const OrtModelMetadata* metadata, OrtAllocator*,
                                       char** out) {
        if (auto* failed = fault("ModelMetadataGetGraphName")) return failed;
        *out = ::strdup(metadata->name.c_str());
        return static_cast<OrtStatus*>(nullptr);
    };
    api.AllocatorFree = [](OrtAllocator*, void* memory) {
        std::free(memory);
        return fault("AllocatorFree");
    };
    api.Graph_GetParentNode = [](const OrtGraph* graph, const OrtNode** out) {
        // onnxruntime 1.23 doesn't know it.
        const bool is_known = host_state().version.rfind("1.23", 0) != 0;
        return give("Graph_GetParentNode", out, is_known ? graph->parent : nullptr);
    };
}

void set_nodes(OrtApi& api) {
    api.Node_GetId = [](const OrtNode* node, std::size_t* out) {
        return give("Node_GetId", out, node->id);
    };
    api.Node_GetName = [](const OrtNode* node, const char** out) {
        return give("Node_GetName", out, node->name.c_str());
    };
    api.Node_GetOperatorType = [](const OrtNode* node, const char** out) {
        return give("Node_GetOperatorType", out, node->op.c_str());
    };
    api.Node_GetDomain = [](const OrtNode* node, const char** out) {
        return give("Node_GetDomain", out, node->domain.c_str());
    };
    api.Node_GetNumInputs = [](const OrtNode* node, std::size_t* out) {
        return give("Node_GetNumInputs", out, node->inputs.size());
    };
    api.Node_GetInputs = [](const OrtNode* node, const OrtValueInfo** out, std::size_t count) {
        return fill("Node_GetInputs", node->inputs, out, count);
    };
    api.Node_GetNumOutputs = [](const OrtNode* node, std::size_t* out) {
        return give("Node_GetNumOutputs", out, node->outputs.size());
    };
    api.Node_GetOutputs = [](const OrtNode* node, const OrtValueInfo** out, std::size_t count) {
        return fill("Node_GetOutputs", node->outputs, out, count);
    };
    api.Node_GetNumImplicitInputs = [](const OrtNode* node, std::size_t* out) {
        return give("Node_GetNumImplicitInputs", out, node->implicit_inputs.size());
    };
    api.Node_GetImplicitInputs = [](const OrtNode* node, const OrtValueInfo** out,
                                    std::size_t count) {
        return fill("Node_GetImplicitInputs", node->implicit_inputs, out, count);
    };
    api.Node_GetNumSubgraphs = [](const OrtNode* node, std::size_t* out) {
        return give("Node_GetNumSubgraphs", out, node->bodies.size());
    };
    api.Node_GetSubgraphs = [](const OrtNode* node, const OrtGraph** out, std::size_t,
                               const char** names) {
        for (const auto& [name, body] : node->bodies) {
            *out++ = body.get();
            *names++ = name.c_str();
        }
        return fault("Node_GetSubgraphs");
    };
}

// The bytes of an attribute as ReadOpAttr() gives them.
std::string attribute_bytes(const rondo_onnx::AttributeProto& message, OrtOpAttrType type) {
    const bool ends_texts = host_state().ends_texts;
    const auto raw = [](const auto& element) {
        return std::string(reinterpret_cast<const char*>(&element), sizeof element);
    };
    const auto all = [&](const auto& elements) {
        std::string bytes;
        for (const auto& element : elements) bytes += raw(element);
        return bytes;
    };
    std::string texts;
    switch (type) {
        case ORT_OP_ATTR_INT: {
            const std::int64_t value = message.i();
            return raw(value);
        }
        case ORT_OP_ATTR_FLOAT: {
            const float value = message.f();
            return raw(value);
        }
        case ORT_OP_ATTR_INTS: return all(message.ints());
        case ORT_OP_ATTR_FLOATS: return all(message.floats());
        case ORT_OP_ATTR_STRING: return message.s() + std::string(ends_texts ? 1 : 0, '\0');
        case ORT_OP_ATTR_STRINGS:
            for (const auto& text : message.strings()) texts += text + '\0';
            return texts;
        default: return "";
    }
}

OrtOpAttrType type_of(const rondo_onnx::AttributeProto& message) {
    using Proto = rondo_onnx::AttributeProto;
    switch (message.type()) {
        case Proto::INT: return ORT_OP_ATTR_INT;
        case Proto::INTS: return ORT_OP_ATTR_INTS;
        case Proto::FLOAT: return ORT_OP_ATTR_FLOAT;
        case Proto::FLOATS: return ORT_OP_ATTR_FLOATS;
        case Proto::STRING: return ORT_OP_ATTR_STRING;
        case Proto::STRINGS: return ORT_OP_ATTR_STRINGS;
        case Proto::GRAPH: return ORT_OP_ATTR_GRAPH;
        case Proto::TENSOR: return ORT_OP_ATTR_TENSOR;
        default: return static_cast<OrtOpAttrType>(0);
    }
}

void set_attributes(OrtApi& api) {
    api.Node_GetNumAttributes = [](const OrtNode* node, std::size_t* out) {
        return give("Node_GetNumAttributes", out, node->attributes.size());
    };
    api.Node_GetAttributes = [](const OrtNode* node, const OrtOpAttr** out, std::size_t count) {
        std::vector<const OrtOpAttr*> attributes;
        for (const auto& one : node->attributes) attributes.push_back(&one);
        return fill("Node_GetAttributes", attributes, out, count);
    };
    api.OpAttr_GetType = [](const OrtOpAttr* attribute, OrtOpAttrType* out) {
        return give("OpAttr_GetType", out, type_of(attribute->message));
    };
    api.OpAttr_GetName = [](const OrtOpAttr* attribute, const char** out) {
        return give("OpAttr_GetName", out, attribute->message.name().c_str());
    };
    api.OpAttr_GetTensorAttributeAsOrtValue = [](const OrtOpAttr* attribute, OrtValue** out) {
        if (auto* failed = fault("OpAttr_GetTensorAttributeAsOrtValue")) return failed;
        const auto& tensor = attribute->message.t();
        auto value = std::make_unique<OrtValue>();
        value->form.element_type = tensor.data_type();
        value->form.extents.assign(tensor.dims().begin(), tensor.dims().end());
        value->bytes.assign(tensor.raw_data().begin(), tensor.raw_data().end());
        *out = value.release();
        return static_cast<OrtStatus*>(nullptr);
    };
    api.ReadOpAttr = [](const OrtOpAttr* attribute, OrtOpAttrType type, void* data,
                        std::size_t size, std::size_t* out) {
        if (auto* failed = fault("ReadOpAttr")) return failed;
        const auto bytes = attribute_bytes(attribute->message, type);
        *out = bytes.size();
        if (size < bytes.size()) return status("the size of the data is too small");
        if (!bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
        return static_cast<OrtStatus*>(nullptr);
    };
}

void set_run(OrtApi& api) {
    api.KernelContext_GetInput = [](const OrtKernelContext* context, std::size_t index,
                                    const OrtValue** out) {
        return give("KernelContext_GetInput", out, context->inputs.at(index));
    };
    api.KernelContext_GetOutput = [](OrtKernelContext* context, std::size_t index,
                                     const std::int64_t* extents, std::size_t rank,
                                     OrtValue** out) {
        if (auto* failed = fault("KernelContext_GetOutput")) return failed;
        auto& value = context->outputs.at(index);
        value.form.element_type = context->output_types.at(index);
        value.form.extents.assign(extents, extents + rank);
        if (value.outside == nullptr) value.bytes.resize(bytes_of(value.form));
        *out = &value;
        return static_cast<OrtStatus*>(nullptr);
    };
}

void set_options(OrtApi& api) {
    api.GetSessionOptionsConfigEntries = [](const OrtSessionOptions* options,
                                            OrtKeyValuePairs** out) {
        if (auto* failed = fault("GetSessionOptionsConfigEntries")) return failed;
        auto pairs = std::make_unique<OrtKeyValuePairs>();
        pairs->entries = options->entries;
        for (const auto& [key, value] : pairs->entries) {
            pairs->keys.push_back(key.c_str());
            pairs->values.push_back(value.c_str());
        }
        *out = pairs.release();
        return static_cast<OrtStatus*>(nullptr);
    };
    api.GetKeyValuePairs = [](const OrtKeyValuePairs* pairs, const char* const** keys,
                              const char* const** values, std::size_t* count) {
        *keys = pairs->keys.data();
        *values = pairs->values.data();
        *count = pairs->keys.size();
    };
    api.ReleaseKeyValuePairs = [](OrtKeyValuePairs* pairs) { delete pairs; };
    api.Logger_GetLoggingSeverityLevel = [](const OrtLogger* logger, OrtLoggingLevel* out) {
        return give("Logger_GetLoggingSeverityLevel", out, logger->least);
    };
    api.Logger_LogMessage = [](const OrtLogger* logger, OrtLoggingLevel, const char* message,
                               const char*, int, const char*) {
        auto* log = const_cast<OrtLogger*>(logger);
        const std::lock_guard lock(log->mutex);
        log->lines.emplace_back(message);
        host_state().log.emplace_back(message);
        return fault("Logger_LogMessage");
    };
}

void set_environment(OrtApi& api) {
    api.HardwareDevice_Type = [](const OrtHardwareDevice* device) {
        return static_cast<OrtHardwareDeviceType>(device->type);
    };
    api.EpDevice_EpName = [](const OrtEpDevice* device) { return device->name.c_str(); };
    api.CreateEnv = [](OrtLoggingLevel, const char*, OrtEnv** out) {
        ++host_state().env.references;
        return give("CreateEnv", out, &host_state().env);
    };
    api.ReleaseEnv = [](OrtEnv* env) { --env->references; };
    api.GetEpDevices = [](const OrtEnv* env, const OrtEpDevice* const** out, std::size_t* count) {
        *out = env->list.data();
        *count = env->list.size();
        return fault("GetEpDevices");
    };
    api.RegisterExecutionProviderLibrary = [](OrtEnv* env, const char*, const char* path) {
        if (auto* failed = fault("RegisterExecutionProviderLibrary")) return failed;
        OrtEpFactory* factory = nullptr;
        std::size_t count = 0;
        if (auto* failed =
                CreateEpFactories("rondo", &host_api_base(), nullptr, &factory, 1, &count)) {
            return failed;
        }
        env->libraries.emplace_back(path);
        env->devices.push_back(std::make_unique<OrtEpDevice>());
        env->devices.back()->name = factory->GetName(factory);
        env->devices.back()->factory = factory;
        env->list.push_back(env->devices.back().get());
        return static_cast<OrtStatus*>(nullptr);
    };
    api.SessionOptionsAppendExecutionProvider_V2 =
        [](OrtSessionOptions* options, OrtEnv*, const OrtEpDevice* const* devices,
           std::size_t count, const char* const*, const char* const*, std::size_t) {
            options->providers.assign(devices, devices + count);
            return fault("SessionOptionsAppendExecutionProvider_V2");
        };
}

OrtStatus* create_attribute(const char* name, const void* data, int length, OrtOpAttrType type,
                            OrtOpAttr** out) {
    if (auto* failed = fault("CreateOpAttr")) return failed;
    auto attribute = std::make_unique<OrtOpAttr>();
    auto& message = attribute->message;
    message.set_name(name);
    if (type == ORT_OP_ATTR_INT) {
        message.set_type(rondo_onnx::AttributeProto::INT);
        message.set_i(*static_cast<const std::int64_t*>(data));
    } else {
        message.set_type(rondo_onnx::AttributeProto::STRING);
        message.set_s(data, static_cast<std::size_t>(length));
    }
    ++host_state().attributes;
    *out = attribute.release();
    return nullptr;
}

void release_attribute(OrtOpAttr* attribute) {
    --host_state().attributes;
    delete attribute;
}

OrtStatus* create_node(const char* op, const char* domain, const char* name,
                       const char* const* inputs, std::size_t input_count,
                       const char* const* outputs, std::size_t output_count, OrtOpAttr** attributes,
                       std::size_t attribute_count, OrtNode** out) {
    if (auto* failed = fault("CreateNode")) return failed;
    auto node = std::make_unique<OrtNode>();
    node->made.set_op_type(op);
    node->made.set_domain(domain);
    node->made.set_name(name);
    for (std::size_t i = 0; i < input_count; ++i) node->made.add_input(inputs[i]);
    for (std::size_t i = 0; i < output_count; ++i) node->made.add_output(outputs[i]);
    for (std::size_t i = 0; i < attribute_count; ++i) {
        *node->made.add_attribute() = attributes[i]->message;
        release_attribute(std::exchange(attributes[i], nullptr));
    }
    *out = node.release();
    return nullptr;
}

const OrtModelEditorApi* editor_api() {
    static const OrtModelEditorApi table{{}, create_node};
    return host_state().has_editor ? &table : nullptr;
}

// lint: allow(functions): the parameters are onnxruntime's
OrtStatus* create_event(OrtProfilingEventCategory, std::int32_t, std::int32_t, const char* name,
                        std::int64_t begin, std::int64_t duration, const char* const* keys,
                        const char* const* values, std::size_t count, OrtProfilingEvent** out) {
    if (auto* failed = fault("CreateProfilingEvent")) return failed;
    *out = new OrtProfilingEvent{name, begin, duration, {}};
    for (std::size_t i = 0; i < count; ++i) (*out)->args[keys[i]] = values[i];
    return nullptr;
}

OrtStatus* add_events(OrtProfilingEventsContainer* container,
                      const OrtProfilingEvent* const* events, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) container->events.push_back(*events[i]);
    return fault("ProfilingEventsContainer_AddEvents");
}

const OrtEpApi* ep_api() {
    static const OrtEpApi25 table = [] {
        OrtEpApi25 all{};
        OrtEpApi& api = all.api;
        api.CreateEpDevice = [](OrtEpFactory* factory, const OrtHardwareDevice*,
                                const OrtKeyValuePairs*, const OrtKeyValuePairs*,
                                OrtEpDevice** out) {
            if (auto* failed = fault("CreateEpDevice")) return failed;
            *out = new OrtEpDevice{factory->GetName(factory), factory};
            return static_cast<OrtStatus*>(nullptr);
        };
        api.EpGraphSupportInfo_AddNodesToFuse = [](OrtEpGraphSupportInfo* info,
                                                   const OrtNode* const* nodes, std::size_t count,
                                                   const OrtNodeFusionOptions* options) {
            info->groups.emplace_back(nodes, nodes + count);
            info->drops_constants = options != nullptr && options->drop_constant_initializers;
            return fault("EpGraphSupportInfo_AddNodesToFuse");
        };
        all.CreateProfilingEvent = create_event;
        all.ReleaseProfilingEvent = [](OrtProfilingEvent* event) { delete event; };
        all.ProfilingEventsContainer_AddEvents = add_events;
        return all;
    }();
    return &table.api;
}

const OrtApi24& api_table() {
    static const OrtApi24 table = [] {
        OrtApi24 all{};
        set_values(all.api);
        set_value_infos(all.api);
        set_graphs(all.api);
        set_nodes(all.api);
        set_attributes(all.api);
        set_run(all.api);
        set_options(all.api);
        set_environment(all.api);
        all.api.GetEpApi = ep_api;
        all.api.GetModelEditorApi = editor_api;
        all.api.CreateOpAttr = create_attribute;
        all.api.ReleaseOpAttr = release_attribute;
        all.TensorTypeAndShape_HasShape = [](const OrtTensorTypeAndShapeInfo* form) {
            return form->has_shape;
        };
        all.GetTensorElementTypeAndShapeDataReference =
            [](const OrtValue* value, ONNXTensorElementDataType* type, const std::int64_t** extents,
               std::size_t* rank) {
                *type = static_cast<ONNXTensorElementDataType>(value->form.element_type);
                *extents = value->form.extents.data();
                *rank = value->form.extents.size();
                return fault("GetTensorElementTypeAndShapeDataReference");
            };
        return all;
    }();
    return table;
}

}  // namespace

HostState& host_state() {
    static HostState state;
    return state;
}

const OrtApiBase& host_api_base() {
    static const OrtApiBase base{[](std::uint32_t version) -> const OrtApi* {
                                     if (host_state().is_too_old && version > 22) return nullptr;
                                     return &api_table().api;
                                 },
                                 [] { return host_state().version.c_str(); }};
    return base;
}

}  // namespace rondo::ort
