#include "bindings/onnxruntime/src/compatibility.hpp"

#include "rondo/version.hpp"

namespace rondo::ort {
namespace {

// "rondo=0.1."
std::string without_patch(const std::string& text) { return text.substr(0, text.rfind('.') + 1); }

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::string compatibility_text() { return "rondo=" RONDO_VERSION; }

OrtCompiledModelCompatibility compatibility_of(const char* text) {
    if (text == nullptr || *text == '\0') return OrtCompiledModelCompatibility_EP_NOT_APPLICABLE;
    const std::string theirs = text;
    const std::string ours = compatibility_text();
    if (theirs == ours) return OrtCompiledModelCompatibility_EP_SUPPORTED_OPTIMAL;
    const auto release = without_patch(ours);
    if (theirs.rfind(release, 0) == 0 && is_number(theirs.substr(release.size()))) {
        return OrtCompiledModelCompatibility_EP_SUPPORTED_PREFER_RECOMPILATION;
    }
    return OrtCompiledModelCompatibility_EP_UNSUPPORTED;
}

}  // namespace rondo::ort
