// The operator sets that a model is written in.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// The newest opset of ONNX's own domain that this reader knows.
inline constexpr std::int64_t kNewestOpset = 28;

/// "" for ONNX's own domain, which has two names: "" and "ai.onnx".
std::string normalized_domain(const std::string& domain);

class OpsetImports {
public:
    /// Files older than version 3 of the format have none: they have opset 1 of ONNX's own.
    /// Throws ModelError if others have none, one is below 1 or a domain comes with two
    /// versions; UnsupportedError if ONNX's own is newer than kNewestOpset.
    explicit OpsetImports(const rondo_onnx::ModelProto& model);
    /// Those of a function of the model; errors as above.
    explicit OpsetImports(const rondo_onnx::FunctionProto& function);

    /// The version of a domain; empty if it isn't imported.
    std::optional<std::int64_t> version(const std::string& domain) const;

private:
    void add(const std::string& domain, std::int64_t version);
    std::map<std::string, std::int64_t> versions_;
};

}  // namespace rondo::onnx
