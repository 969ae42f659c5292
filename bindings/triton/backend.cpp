// The functions that the server calls: what becomes of a model in its repository.
#include <memory>
#include <string>

#include "bindings/triton/instance.hpp"
#include "bindings/triton/server_error.hpp"
#include "rondo/error.hpp"
#include "rondo/log.hpp"

namespace rondo::triton {
namespace {

// The version of the API in which cancellation and its error came.
constexpr std::uint32_t kMajor = 1;
constexpr std::uint32_t kLeastMinor = 15;

struct ModelState {
    ServedModel model;
    int instances = 0;
};

void check_version() {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    check(TRITONBACKEND_ApiVersion(&major, &minor));
    if (major == kMajor && minor >= kLeastMinor) return;
    throw UnsupportedError("the server has version " + std::to_string(major) + "." +
                           std::to_string(minor) + " of the backend API; Rondo needs 1." +
                           std::to_string(kLeastMinor) + " or a later 1.x (Triton 23.10)");
}

TRITONSERVER_LogLevel server_level(LogLevel level) {
    if (level == LogLevel::warning) return TRITONSERVER_LOG_WARN;
    return level == LogLevel::debug ? TRITONSERVER_LOG_VERBOSE : TRITONSERVER_LOG_INFO;
}

Json config_of(TRITONBACKEND_Model* model) {
    TRITONSERVER_Message* message = nullptr;
    check(TRITONBACKEND_ModelConfig(model, 1, &message));
    const char* text = nullptr;
    std::size_t size = 0;
    TRITONSERVER_Error* error = TRITONSERVER_MessageSerializeToJson(message, &text, &size);
    std::string copy = error == nullptr ? std::string(text, size) : "";
    ignore(TRITONSERVER_MessageDelete(message));
    check(error);
    return Json::parse(copy);
}

void set_config(TRITONBACKEND_Model* model, const Json& config) {
    const std::string text = config.dump();
    TRITONSERVER_Message* message = nullptr;
    check(TRITONSERVER_MessageNewFromSerializedJson(&message, text.data(), text.size()));
    TRITONSERVER_Error* error = TRITONBACKEND_ModelSetConfig(model, 1, message);
    ignore(TRITONSERVER_MessageDelete(message));
    check(error);
}

std::string version_folder(TRITONBACKEND_Model* model, const std::string& version) {
    TRITONBACKEND_ArtifactType type = TRITONBACKEND_ARTIFACT_FILESYSTEM;
    const char* location = nullptr;
    check(TRITONBACKEND_ModelRepository(model, &type, &location));
    if (type != TRITONBACKEND_ARTIFACT_FILESYSTEM) {
        throw UnsupportedError("the model's files aren't in a folder");
    }
    return std::string(location) + "/" + version;
}

// Pools of streams need to know their number of threads, which the reports use, too.
void settle_threads(ServedModel& model) {
    if (model.settings.pool.threads > 0) return;
    const std::string streams = model.loaded.compiled.get_property(property::kNumStreams);
    model.settings.pool.threads = std::stoul(streams);
}

GaugeFamilies* families_of(TRITONBACKEND_Backend* backend) {
    void* state = nullptr;
    check(TRITONBACKEND_BackendState(backend, &state));
    return static_cast<GaugeFamilies*>(state);
}

std::unique_ptr<ModelState> load(TRITONBACKEND_Model* model) {
    auto state = std::make_unique<ModelState>();
    ServedModel& served = state->model;
    TRITONBACKEND_Backend* backend = nullptr;
    check(TRITONBACKEND_ModelBackend(model, &backend));
    served.gauges = families_of(backend);
    const char* name = nullptr;
    std::uint64_t version = 0;
    check(TRITONBACKEND_ModelName(model, &name));
    check(TRITONBACKEND_ModelVersion(model, &version));
    served.name = name;
    served.version = std::to_string(version);
    const Core core;
    Json config = config_of(model);
    served.settings = read_settings(config, core);
    const std::string file = model_file(version_folder(model, served.version),
                                        config.value("default_model_filename", ""));
    served.loaded = load_model(core, file, served.settings);
    bool completes = false;
    check(TRITONBACKEND_ModelAutoCompleteConfig(model, &completes));
    if (completes) {
        complete_config(config, served.loaded, served.settings.pool.max_batch);
        set_config(model, config);
    }
    served.ports = check_config(config, served.loaded);
    served.max_batch_size = config.value("max_batch_size", std::size_t{0});
    settle_threads(served);
    return state;
}

// A configuration that isn't what the server makes of config.pbtxt.
std::unique_ptr<ModelState> load_checked(TRITONBACKEND_Model* model) {
    try {
        return load(model);
    } catch (const Json::exception& error) {
        throw ModelError(std::string("the model's configuration: ") + error.what());
    }
}

// Null if the model couldn't be loaded.
ModelState* state_of(TRITONBACKEND_Model* model) {
    void* state = nullptr;
    check(TRITONBACKEND_ModelState(model, &state));
    return static_cast<ModelState*>(state);
}

ModelState& state_of(TRITONBACKEND_ModelInstance* instance) {
    TRITONBACKEND_Model* model = nullptr;
    check(TRITONBACKEND_ModelInstanceModel(instance, &model));
    return *state_of(model);
}

void check_kind(TRITONBACKEND_ModelInstance* instance, const ModelState& state) {
    TRITONSERVER_InstanceGroupKind kind = TRITONSERVER_INSTANCEGROUPKIND_CPU;
    check(TRITONBACKEND_ModelInstanceKind(instance, &kind));
    if (kind == TRITONSERVER_INSTANCEGROUPKIND_GPU) {
        throw UnsupportedError("model '" + state.model.name +
                               "': Rondo runs on CPUs; set instance_group [{ kind: KIND_CPU }]");
    }
    if (state.instances == 0 || !state.model.loaded.keeps_states) return;
    throw UnsupportedError(
        "model '" + state.model.name +
        "' keeps the states of sequences, which are in one instance: set instance_group [{ kind: "
        "KIND_CPU count: 1 }]; the parameter threads says how many threads it has");
}

void initialize(TRITONBACKEND_ModelInstance* instance) {
    ModelState& state = state_of(instance);
    check_kind(instance, state);
    auto made = state.model.loaded.keeps_states ? make_stream_instance(instance, state.model)
                                                : make_batch_instance(instance, state.model);
    check(TRITONBACKEND_ModelInstanceSetState(instance, made.get()));
    static_cast<void>(made.release());
    ++state.instances;
}

// Null if it couldn't be made.
Instance* instance_of(TRITONBACKEND_ModelInstance* instance) {
    void* state = nullptr;
    check(TRITONBACKEND_ModelInstanceState(instance, &state));
    return static_cast<Instance*>(state);
}

}  // namespace
}  // namespace rondo::triton

using namespace rondo::triton;

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_Initialize(TRITONBACKEND_Backend* backend) {
    return guarded([&] {
        check_version();
        auto families = std::make_unique<GaugeFamilies>();
        check(TRITONBACKEND_BackendSetState(backend, families.get()));
        static_cast<void>(families.release());
        rondo::set_log_callback([](rondo::LogLevel level, const std::string& message) {
            log_line(server_level(level), message);
        });
    });
}

TRITONSERVER_Error* TRITONBACKEND_Finalize(TRITONBACKEND_Backend* backend) {
    return guarded([&] {
        rondo::set_log_callback({});
        delete families_of(backend);
    });
}

TRITONSERVER_Error* TRITONBACKEND_GetBackendAttribute(TRITONBACKEND_Backend*,
                                                      TRITONBACKEND_BackendAttribute* attribute) {
    return TRITONBACKEND_BackendAttributeAddPreferredInstanceGroup(
        attribute, TRITONSERVER_INSTANCEGROUPKIND_CPU, 1, nullptr, 0);
}

TRITONSERVER_Error* TRITONBACKEND_ModelInitialize(TRITONBACKEND_Model* model) {
    return guarded([&] {
        auto state = load_checked(model);
        check(TRITONBACKEND_ModelSetState(model, state.get()));
        static_cast<void>(state.release());
    });
}

TRITONSERVER_Error* TRITONBACKEND_ModelFinalize(TRITONBACKEND_Model* model) {
    return guarded([&] { delete state_of(model); });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceInitialize(TRITONBACKEND_ModelInstance* instance) {
    return guarded([&] { initialize(instance); });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceFinalize(TRITONBACKEND_ModelInstance* instance) {
    return guarded([&] {
        const std::unique_ptr<Instance> ended(instance_of(instance));
        if (ended != nullptr) --state_of(instance).instances;
    });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance* instance,
                                                       TRITONBACKEND_Request** requests,
                                                       std::uint32_t request_count) {
    return guarded([&] { instance_of(instance)->execute(requests, request_count); });
}
}
