// The server's functions, as the backend calls them.
#include "tests/unit/bindings/triton/stub_objects.hpp"

using namespace rondo::test::triton;

namespace {

TRITONSERVER_Error* error_of(TRITONSERVER_Error_Code code, const std::string& message) {
    auto* error = new TRITONSERVER_Error();
    error->code = code;
    error->message = message;
    return error;
}

}  // namespace

extern "C" {

TRITONSERVER_Error* TRITONSERVER_ErrorNew(TRITONSERVER_Error_Code code, const char* message) {
    return error_of(code, message);
}
void TRITONSERVER_ErrorDelete(TRITONSERVER_Error* error) { delete error; }
TRITONSERVER_Error_Code TRITONSERVER_ErrorCode(TRITONSERVER_Error* error) { return error->code; }
const char* TRITONSERVER_ErrorMessage(TRITONSERVER_Error* error) { return error->message.c_str(); }

TRITONSERVER_Error* TRITONSERVER_MessageNewFromSerializedJson(TRITONSERVER_Message** message,
                                                              const char* text, std::size_t size) {
    *message = new TRITONSERVER_Message();
    (*message)->text.assign(text, size);
    return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_MessageSerializeToJson(TRITONSERVER_Message* message,
                                                        const char** text, std::size_t* size) {
    *text = message->text.data();
    *size = message->text.size();
    return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_MessageDelete(TRITONSERVER_Message* message) {
    delete message;
    return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_LogMessage(TRITONSERVER_LogLevel, const char*, int,
                                            const char* message) {
    const std::lock_guard lock(Seen::all().mutex);
    Seen::all().log += std::string(message) + "\n";
    return nullptr;
}

TRITONSERVER_Parameter* TRITONSERVER_ParameterNew(const char* name, TRITONSERVER_ParameterType,
                                                  const void* value) {
    auto* parameter = new TRITONSERVER_Parameter();
    parameter->name = name;
    parameter->value = static_cast<const char*>(value);
    return parameter;
}
void TRITONSERVER_ParameterDelete(TRITONSERVER_Parameter* parameter) { delete parameter; }
TRITONSERVER_Error* TRITONSERVER_MetricFamilyNew(TRITONSERVER_MetricFamily** family,
                                                 TRITONSERVER_MetricKind kind, const char* name,
                                                 const char*) {
    *family = new TRITONSERVER_MetricFamily();
    (*family)->name = name;
    (*family)->kind = kind;
    return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_MetricFamilyDelete(TRITONSERVER_MetricFamily* family) {
    require(family->metrics == 0, "a family of metrics ends before its metrics");
    delete family;
    return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_MetricNew(TRITONSERVER_Metric** metric,
                                           TRITONSERVER_MetricFamily* family,
                                           const TRITONSERVER_Parameter** labels,
                                           std::uint64_t label_count) {
    *metric = new TRITONSERVER_Metric();
    (*metric)->family = family;
    for (std::uint64_t i = 0; i < label_count; ++i) {
        (*metric)->labels[labels[i]->name] = labels[i]->value;
    }
    ++family->metrics;
    const std::lock_guard lock(Seen::all().mutex);
    for (const TRITONSERVER_Metric* other : Seen::all().metrics) {
        const bool is_same =
            other->family->name == family->name && other->labels == (*metric)->labels;
        require(!is_same || other->family == family, "two families have the same metric");
    }
    Seen::all().metrics.insert(*metric);
    return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_MetricDelete(TRITONSERVER_Metric* metric) {
    const std::lock_guard lock(Seen::all().mutex);
    Seen::all().metrics.erase(metric);
    --metric->family->metrics;
    delete metric;
    return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_MetricSet(TRITONSERVER_Metric* metric, double value) {
    const std::lock_guard lock(Seen::all().mutex);
    require(metric->family->kind == TRITONSERVER_METRIC_KIND_GAUGE, "a counter is set");
    metric->value = value;
    return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_MetricIncrement(TRITONSERVER_Metric* metric, double value) {
    const std::lock_guard lock(Seen::all().mutex);
    require(value >= 0, "a counter falls");
    metric->value += value;
    return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_ApiVersion(std::uint32_t* major, std::uint32_t* minor) {
    *major = 1;
    *minor = 19;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_BackendAttributeAddPreferredInstanceGroup(
    TRITONBACKEND_BackendAttribute*, TRITONSERVER_InstanceGroupKind kind, std::uint64_t count,
    const std::uint64_t*, std::uint64_t) {
    Seen::all().kind = kind;
    Seen::all().count = count;
    return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_BackendState(TRITONBACKEND_Backend* backend, void** state) {
    *state = backend->state;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_BackendSetState(TRITONBACKEND_Backend* backend, void* state) {
    backend->state = state;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelBackend(TRITONBACKEND_Model*,
                                               TRITONBACKEND_Backend** backend) {
    *backend = StubServer::get().backend();
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelName(TRITONBACKEND_Model* model, const char** name) {
    *name = model->name.c_str();
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelVersion(TRITONBACKEND_Model* model, std::uint64_t* version) {
    *version = model->version;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelRepository(TRITONBACKEND_Model* model,
                                                  TRITONBACKEND_ArtifactType* type,
                                                  const char** location) {
    *type = TRITONBACKEND_ARTIFACT_FILESYSTEM;
    *location = model->folder.c_str();
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelConfig(TRITONBACKEND_Model* model, std::uint32_t,
                                              TRITONSERVER_Message** config) {
    return TRITONSERVER_MessageNewFromSerializedJson(config, model->config.data(),
                                                     model->config.size());
}
TRITONSERVER_Error* TRITONBACKEND_ModelAutoCompleteConfig(TRITONBACKEND_Model* model,
                                                          bool* auto_complete) {
    *auto_complete = model->completes;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelSetConfig(TRITONBACKEND_Model* model, std::uint32_t,
                                                 TRITONSERVER_Message* config) {
    model->config = config->text;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelState(TRITONBACKEND_Model* model, void** state) {
    *state = model->state;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelSetState(TRITONBACKEND_Model* model, void* state) {
    model->state = state;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceKind(TRITONBACKEND_ModelInstance* instance,
                                                    TRITONSERVER_InstanceGroupKind* kind) {
    *kind = instance->kind;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceModel(TRITONBACKEND_ModelInstance* instance,
                                                     TRITONBACKEND_Model** model) {
    *model = instance->model;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceState(TRITONBACKEND_ModelInstance* instance,
                                                     void** state) {
    *state = instance->state;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceSetState(TRITONBACKEND_ModelInstance* instance,
                                                        void* state) {
    instance->state = state;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceReportStatistics(
    TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request*, bool success,
    std::uint64_t start, std::uint64_t compute_start, std::uint64_t compute_end,
    std::uint64_t end) {
    const std::lock_guard lock(instance->mutex);
    ++(success ? instance->statistics.succeeded : instance->statistics.failed);
    const bool ascend =
        start <= compute_start && compute_start <= compute_end && compute_end <= end;
    if (!ascend) instance->statistics.times_ascend = false;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceReportBatchStatistics(
    TRITONBACKEND_ModelInstance* instance, std::uint64_t batch_size, std::uint64_t start,
    std::uint64_t compute_start, std::uint64_t compute_end, std::uint64_t end) {
    const std::lock_guard lock(instance->mutex);
    ++instance->statistics.batches;
    instance->statistics.rows += batch_size;
    const bool ascend =
        start <= compute_start && compute_start <= compute_end && compute_end <= end;
    if (!ascend) instance->statistics.times_ascend = false;
    return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_RequestCorrelationId(TRITONBACKEND_Request* request,
                                                       std::uint64_t* id) {
    const auto* number = std::get_if<std::uint64_t>(&request->ask.id);
    if (number == nullptr) return error_of(TRITONSERVER_ERROR_INVALID_ARG, "the id is a text");
    *id = *number;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestCorrelationIdString(TRITONBACKEND_Request* request,
                                                             const char** id) {
    const auto* text = std::get_if<std::string>(&request->ask.id);
    if (text == nullptr) return error_of(TRITONSERVER_ERROR_INVALID_ARG, "the id is a number");
    *id = text->c_str();
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestFlags(TRITONBACKEND_Request* request,
                                               std::uint32_t* flags) {
    *flags = request->ask.flags;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestIsCancelled(TRITONBACKEND_Request* request,
                                                     bool* is_cancelled) {
    *is_cancelled = *request->ask.cancelled;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestInputCount(TRITONBACKEND_Request* request,
                                                    std::uint32_t* count) {
    *count = static_cast<std::uint32_t>(request->inputs.size());
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestInputByIndex(TRITONBACKEND_Request* request,
                                                      std::uint32_t index,
                                                      TRITONBACKEND_Input** input) {
    *input = &request->inputs.at(index);
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestOutputCount(TRITONBACKEND_Request* request,
                                                     std::uint32_t* count) {
    *count = static_cast<std::uint32_t>(request->ask.outputs.size());
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestOutputName(TRITONBACKEND_Request* request,
                                                    std::uint32_t index, const char** name) {
    *name = request->ask.outputs.at(index).c_str();
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestRelease(TRITONBACKEND_Request* request,
                                                 std::uint32_t flags) {
    require(flags == TRITONSERVER_REQUEST_RELEASE_ALL, "unknown flags of a release");
    const AnswerPtr answer = request->answer;
    delete request;
    answer->release();
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_InferenceRequestTimeoutMicroseconds(
    TRITONBACKEND_Request* request, std::uint64_t* timeout) {
    *timeout = request->ask.timeout;
    return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestPriorityUInt64(TRITONBACKEND_Request* request,
                                                                std::uint64_t* priority) {
    *priority = request->ask.priority;
    return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_InputProperties(TRITONBACKEND_Input* input, const char** name,
                                                  TRITONSERVER_DataType* type,
                                                  const std::int64_t** shape, std::uint32_t* rank,
                                                  std::uint64_t* byte_size,
                                                  std::uint32_t* buffer_count) {
    *name = input->name.c_str();
    *type = input->data.type;
    *shape = input->data.shape.data();
    *rank = static_cast<std::uint32_t>(input->data.shape.size());
    *byte_size = input->data.bytes.size();
    *buffer_count = static_cast<std::uint32_t>(input->pieces.size());
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_InputBuffer(TRITONBACKEND_Input* input, std::uint32_t index,
                                              const void** buffer, std::uint64_t* byte_size,
                                              TRITONSERVER_MemoryType* memory, std::int64_t*) {
    const std::string& piece = input->pieces.at(index);
    *buffer = piece.data() + input->offset;
    *byte_size = piece.size() - input->offset;
    *memory = input->memory;
    return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_ResponseNew(TRITONBACKEND_Response** response,
                                              TRITONBACKEND_Request* request) {
    *response = new TRITONBACKEND_Response();
    (*response)->answer = request->answer;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ResponseDelete(TRITONBACKEND_Response* response) {
    delete response;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ResponseOutput(TRITONBACKEND_Response* response,
                                                 TRITONBACKEND_Output** output, const char* name,
                                                 TRITONSERVER_DataType type,
                                                 const std::int64_t* shape, std::uint32_t rank) {
    auto made = std::make_unique<TRITONBACKEND_Output>();
    made->name = name;
    made->data.type = type;
    made->data.shape.assign(shape, shape + rank);
    *output = made.get();
    response->outputs.push_back(std::move(made));
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_OutputBuffer(TRITONBACKEND_Output* output, void** buffer,
                                               std::uint64_t byte_size,
                                               TRITONSERVER_MemoryType* memory,
                                               std::int64_t* memory_id) {
    output->data.bytes.resize(byte_size);
    *buffer = output->data.bytes.data();
    *memory = TRITONSERVER_MEMORY_CPU;
    *memory_id = 0;
    return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ResponseSend(TRITONBACKEND_Response* response,
                                               std::uint32_t flags, TRITONSERVER_Error* error) {
    require(flags == TRITONSERVER_RESPONSE_COMPLETE_FINAL, "a response isn't the final one");
    std::map<std::string, Data> outputs;
    for (auto& output : response->outputs) outputs[output->name] = std::move(output->data);
    response->answer->respond(std::move(outputs), error);
    delete response;
    return nullptr;
}
}
