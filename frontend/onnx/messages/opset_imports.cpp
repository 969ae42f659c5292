#include "frontend/onnx/messages/opset_imports.hpp"

#include <rondo_onnx.pb.h>

#include "rondo/error.hpp"

namespace rondo::onnx {

namespace {

constexpr std::int64_t kImportsSince = 3;  // ModelProto.ir_version

}  // namespace

std::string normalized_domain(const std::string& domain) {
    return domain == "ai.onnx" ? "" : domain;
}

OpsetImports::OpsetImports(const rondo_onnx::ModelProto& model) {
    for (const auto& import : model.opset_import()) {
        add(normalized_domain(import.domain()), import.version());
    }
    // Before version 3 of the file format there were no imports: every model has opset 1.
    const bool implied = model.has_ir_version() && model.ir_version() < kImportsSince;
    if (implied) versions_.emplace("", 1);
    if (versions_.empty()) {
        throw ModelError("the model has no opset_import, so its operators' versions aren't known");
    }
}

OpsetImports::OpsetImports(const rondo_onnx::FunctionProto& function) {
    for (const auto& import : function.opset_import()) {
        add(normalized_domain(import.domain()), import.version());
    }
}

void OpsetImports::add(const std::string& domain, std::int64_t version) {
    const std::string shown = domain.empty() ? "ai.onnx" : domain;
    if (version < 1) {
        throw ModelError("opset_import of '" + shown + "' has version " + std::to_string(version) +
                         "; expected 1 or more");
    }
    if (domain.empty() && version > kNewestOpset) {
        throw UnsupportedError("the model is written in opset " + std::to_string(version) +
                               "; expected at most " + std::to_string(kNewestOpset) +
                               ": export it with an older opset_version");
    }
    const auto [at, is_new] = versions_.emplace(domain, version);
    if (!is_new && at->second != version) {
        throw ModelError("opset_import has the domain '" + shown + "' with versions " +
                         std::to_string(at->second) + " and " + std::to_string(version));
    }
}

std::optional<std::int64_t> OpsetImports::version(const std::string& domain) const {
    const auto at = versions_.find(normalized_domain(domain));
    return at == versions_.end() ? std::nullopt : std::optional<std::int64_t>(at->second);
}

}  // namespace rondo::onnx
