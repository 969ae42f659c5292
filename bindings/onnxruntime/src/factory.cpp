#include "bindings/onnxruntime/src/factory.hpp"

#include <memory>

#include "bindings/onnxruntime/src/compatibility.hpp"
#include "bindings/onnxruntime/src/ep.hpp"
#include "bindings/onnxruntime/src/names.hpp"
#include "bindings/onnxruntime/src/options.hpp"
#include "rondo/core.hpp"
#include "rondo/version.hpp"

namespace rondo::ort {
namespace {

const char* get_name(const OrtEpFactory*) { return kProviderName; }
const char* get_vendor(const OrtEpFactory*) { return kVendor; }
std::uint32_t get_vendor_id(const OrtEpFactory*) { return 0; }  // none of PCI's
const char* get_version(const OrtEpFactory*) { return RONDO_VERSION; }

OrtStatus* get_supported_devices(OrtEpFactory* factory, const OrtHardwareDevice* const* devices,
                                 std::size_t count, OrtEpDevice** ep_devices, std::size_t most,
                                 std::size_t* found) {
    *found = 0;
    const Host& host = Factory::of(factory).host();
    for (std::size_t i = 0; i < count && *found < most; ++i) {
        if (host->HardwareDevice_Type(devices[i]) != OrtHardwareDeviceType_CPU) continue;
        if (auto* status = host.ep().CreateEpDevice(factory, devices[i], nullptr, nullptr,
                                                    &ep_devices[*found])) {
            return status;
        }
        ++*found;
        break;  // one device is the whole machine
    }
    return nullptr;
}

// lint: allow(functions): the parameters are onnxruntime's
OrtStatus* create_ep(OrtEpFactory* factory, const OrtHardwareDevice* const*,
                     const OrtKeyValuePairs* const*, std::size_t,
                     const OrtSessionOptions* session_options, const OrtLogger* logger,
                     OrtEp** ep) {
    *ep = nullptr;
    const Host& host = Factory::of(factory).host();
    return host.guard([&] {
        auto options = read_options(config_entries(host, session_options));
        *ep = std::make_unique<Ep>(host, std::move(options), logger).release();
    });
}

void release_ep(OrtEpFactory*, OrtEp* ep) {
    if (ep != nullptr) delete &Ep::of(ep);
}

OrtStatus* validate_compatibility(OrtEpFactory* factory, const OrtHardwareDevice* const*,
                                  std::size_t, const char* text,
                                  OrtCompiledModelCompatibility* compatibility) {
    return Factory::of(factory).host().guard([&] { *compatibility = compatibility_of(text); });
}

OrtStatus* create_allocator(OrtEpFactory*, const OrtMemoryInfo*, const OrtKeyValuePairs*,
                            OrtAllocator** allocator) {
    *allocator = nullptr;  // the CPU's own memory
    return nullptr;
}

void release_allocator(OrtEpFactory*, OrtAllocator*) {}

// onnxruntime calls it although its documentation says that it may be null.
OrtStatus* create_data_transfer(OrtEpFactory*, OrtDataTransferImpl** transfer) {
    *transfer = nullptr;
    return nullptr;
}

bool is_stream_aware(const OrtEpFactory*) { return false; }

OrtStatus* create_stream(OrtEpFactory*, const OrtMemoryDevice*, const OrtKeyValuePairs*,
                         OrtSyncStreamImpl** stream) {
    *stream = nullptr;
    return nullptr;
}

}  // namespace

Factory::Factory(const OrtApiBase& base) : host_(base) {
    ort_version_supported = kApiVersion;
    GetName = get_name;
    GetVendor = get_vendor;
    GetSupportedDevices = get_supported_devices;
    CreateEp = create_ep;
    ReleaseEp = release_ep;
    GetVendorId = get_vendor_id;
    GetVersion = get_version;
    ValidateCompiledModelCompatibilityInfo = validate_compatibility;
    CreateAllocator = create_allocator;
    ReleaseAllocator = release_allocator;
    CreateDataTransfer = create_data_transfer;
    IsStreamAware = is_stream_aware;
    CreateSyncStreamForDevice = create_stream;
}

}  // namespace rondo::ort
