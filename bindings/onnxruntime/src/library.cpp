// The functions that onnxruntime looks up in the library; no other symbol is visible.
#include <cstddef>
#include <memory>

#include "bindings/onnxruntime/abi/onnxruntime.hpp"
#include "bindings/onnxruntime/src/factory.hpp"
#include "bindings/onnxruntime/src/second_door.hpp"

using rondo::ort::Factory;
using rondo::ort::OrtApi;
using rondo::ort::OrtApiBase;
using rondo::ort::OrtEpFactory;
using rondo::ort::OrtLogger;
using rondo::ort::OrtSessionOptions;
using rondo::ort::OrtStatus;

namespace {

// A status of whatever onnxruntime this is; the function that makes one is the same in all.
OrtStatus* failure(const OrtApiBase& base, const char* text) {
    const OrtApi* api = base.GetApi(1);
    return api == nullptr ? nullptr : api->CreateStatus(rondo::ort::ORT_FAIL, text);
}

template <typename Work>
OrtStatus* guard(const OrtApiBase& base, const Work& work) noexcept {
    try {
        work();
        return nullptr;
    } catch (const std::exception& error) {
        return failure(base, error.what());
    } catch (...) {
        return failure(base, "an exception of an unknown type");
    }
}

}  // namespace

extern "C" {

/// Called by RegisterExecutionProviderLibrary().
__attribute__((visibility("default"))) OrtStatus* CreateEpFactories(
    const char*, const OrtApiBase* base, const OrtLogger*, OrtEpFactory** factories,
    std::size_t most, std::size_t* count) {
    *count = 0;
    return guard(*base, [&] {
        if (most == 0) throw std::runtime_error("no room for an execution provider");
        factories[0] = std::make_unique<Factory>(*base).release();
        *count = 1;
    });
}

/// Called when the library is unregistered, or the environment ends.
__attribute__((visibility("default"))) OrtStatus* ReleaseEpFactory(OrtEpFactory* factory) {
    if (factory != nullptr) delete &Factory::of(factory);
    return nullptr;
}

/// Called by RegisterCustomOpsLibrary(): the way in for programs that load no such providers.
__attribute__((visibility("default"))) OrtStatus* RegisterCustomOps(OrtSessionOptions* options,
                                                                    const OrtApiBase* base) {
    return guard(*base, [&] { rondo::ort::append_provider(*options, *base); });
}

}  // extern "C"
