#include "bindings/onnxruntime/src/host.hpp"

#include <cstdlib>

#include "bindings/onnxruntime/src/names.hpp"

namespace rondo::ort {
namespace {

// "1.24.3" -> 24. A later major release has all that 1.x has.
int minor_release(const std::string& version) {
    const auto point = version.find('.');
    if (point == std::string::npos) return 0;
    const int major = std::atoi(version.c_str());
    return major > 1 ? 1000 : std::atoi(version.c_str() + point + 1);
}

}  // namespace

Host::Host(const OrtApiBase& base)
    : api_(base.GetApi(kApiVersion)), minor_(minor_release(base.GetVersionString())) {
    if (api_ != nullptr && api_->GetEpApi() != nullptr) return;
    throw std::runtime_error(std::string(kLibraryName) + " needs onnxruntime " + kLeastRelease +
                             " or newer; this is " + base.GetVersionString());
}

const OrtModelEditorApi& Host::editor() const {
    const auto* editor = api_->GetModelEditorApi();
    if (editor == nullptr) throw UnsupportedError("this onnxruntime makes no models");
    return *editor;
}

bool Host::has_shape(const OrtTensorTypeAndShapeInfo* type, std::size_t rank) const {
    if (rank > 0) return true;
    return newer() != nullptr && newer()->TensorTypeAndShape_HasShape(type);
}

void Host::check(OrtStatus* status) const {
    if (status == nullptr) return;
    const std::string text = api_->GetErrorMessage(status);
    api_->ReleaseStatus(status);
    throw HostError(text);
}

OrtStatus* Host::failure(OrtErrorCode code, const char* text) const noexcept {
    try {
        return api_->CreateStatus(code, (std::string(kProviderName) + ": " + text).c_str());
    } catch (...) {
        return api_->CreateStatus(code, kProviderName);
    }
}

bool Log::wants(OrtLoggingLevel level) const {
    OrtLoggingLevel least = ORT_LOGGING_LEVEL_ERROR;
    if (logger_ == nullptr) return false;
    if (auto* status = host_->Logger_GetLoggingSeverityLevel(logger_, &least)) {
        host_->ReleaseStatus(status);
        return false;
    }
    return level >= least;
}

void Log::write(OrtLoggingLevel level, const std::string& line) const {
    if (!wants(level)) return;
    const std::string text = std::string(kProviderName) + ": " + line;
    if (auto* status = host_->Logger_LogMessage(logger_, level, text.c_str(), __FILE__, __LINE__,
                                                kLibraryName)) {
        host_->ReleaseStatus(status);
    }
}

}  // namespace rondo::ort
