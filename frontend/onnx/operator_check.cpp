#include "frontend/onnx/operator_check.hpp"

#include <rondo_onnx.pb.h>

#include <set>
#include <string>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

std::string operator_name(const rondo_onnx::NodeProto& node) {
    const std::string domain = normalized_domain(node.domain());
    return domain.empty() ? node.op_type() : domain + "." + node.op_type();
}

void find_missing(const rondo_onnx::GraphProto& graph, const OpsetImports& opsets,
                  std::set<std::string>& missing) {
    for (const auto& node : graph.node()) {
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) find_missing(attribute.g(), opsets, missing);
        }
        if (find_converter(node, opsets)) continue;
        const auto version = opsets.version(node.domain());
        missing.insert(operator_name(node) + (version ? " (opset " + std::to_string(*version) + ")"
                                                      : " (its domain has no opset_import)"));
    }
}

}  // namespace

const OpEntry* find_converter(const rondo_onnx::NodeProto& node, const OpsetImports& opsets) {
    const auto version = opsets.version(node.domain());
    if (!version) return nullptr;
    return find_converter(normalized_domain(node.domain()), node.op_type(), *version);
}

void check_operators(const rondo_onnx::GraphProto& graph, const OpsetImports& opsets) {
    std::set<std::string> missing;
    find_missing(graph, opsets, missing);
    if (missing.empty()) return;
    throw UnsupportedError(std::to_string(missing.size()) + " unsupported operator" +
                           (missing.size() > 1 ? "s: " : ": ") +
                           join({missing.begin(), missing.end()}, ", "));
}

}  // namespace rondo::onnx
