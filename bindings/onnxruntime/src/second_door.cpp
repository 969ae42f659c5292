#include "bindings/onnxruntime/src/second_door.hpp"

#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host.hpp"
#include "bindings/onnxruntime/src/names.hpp"

namespace rondo::ort {
namespace {

std::string path_of_this_library() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&append_provider), &info) == 0) {
        throw std::runtime_error("the path of the library isn't known");
    }
    return info.dli_fname;
}

std::vector<const OrtEpDevice*> our_devices(const Host& host, const OrtEnv* env) {
    const OrtEpDevice* const* devices = nullptr;
    std::size_t count = 0;
    host.check(host->GetEpDevices(env, &devices, &count));
    std::vector<const OrtEpDevice*> ours;
    for (std::size_t i = 0; i < count; ++i) {
        if (std::strcmp(host->EpDevice_EpName(devices[i]), kProviderName) == 0) {
            ours.push_back(devices[i]);
            break;
        }
    }
    return ours;
}

}  // namespace

void append_provider(OrtSessionOptions& options, const OrtApiBase& base) {
    const Host host(base);
    OrtEnv* env = nullptr;  // the process has one, which this call gives
    host.check(host->CreateEnv(ORT_LOGGING_LEVEL_WARNING, kLibraryName, &env));
    std::unique_ptr<OrtEnv, decltype(host->ReleaseEnv)> reference(env, host->ReleaseEnv);
    auto devices = our_devices(host, env);
    const bool is_registered = !devices.empty();
    if (!is_registered) {
        OrtStatus* status = host->RegisterExecutionProviderLibrary(env, kRegistrationName,
                                                                   path_of_this_library().c_str());
        devices = our_devices(host, env);
        if (devices.empty()) host.check(status);
        if (status != nullptr) host->ReleaseStatus(status);  // another thread was faster
    }
    host.check(host->SessionOptionsAppendExecutionProvider_V2(&options, env, devices.data(),
                                                              devices.size(), nullptr, nullptr, 0));
    // The environment that holds the registration stays, even if no session is left.
    if (!is_registered) static_cast<void>(reference.release());
}

}  // namespace rondo::ort
