#include "frontend/onnx/operator_check.hpp"

#include <rondo_onnx.pb.h>

#include <set>
#include <string>

namespace rondo::onnx {
namespace {

std::string operator_name(const rondo_onnx::NodeProto& node) {
    const std::string domain = normalized_domain(node.domain());
    return domain.empty() ? node.op_type() : domain + "." + node.op_type();
}

class OperatorCheck {
public:
    OperatorCheck(const LocalFunctions& functions, Refusals& refusals)
        : functions_(functions), refusals_(refusals) {}

    template <typename Graph>
    void check(const Graph& graph, const OpsetImports& opsets) {
        for (const auto& node : graph.node()) {
            for (const auto& attribute : node.attribute()) {
                if (attribute.has_g()) check(attribute.g(), opsets);
            }
            if (const auto* function = functions_.find(node)) {
                if (seen_.insert(function).second) check(*function, OpsetImports(*function));
            } else if (!find_converter(node, opsets)) {
                add(node, opsets);
            }
        }
    }

private:
    void add(const rondo_onnx::NodeProto& node, const OpsetImports& opsets) {
        const auto version = opsets.version(node.domain());
        refusals_.add_operator(operator_name(node) +
                               (version ? " (opset " + std::to_string(*version) + ")"
                                        : " (its domain has no opset_import)"));
    }

    const LocalFunctions& functions_;
    Refusals& refusals_;
    std::set<const rondo_onnx::FunctionProto*> seen_;
};

}  // namespace

const OpEntry* find_converter(const rondo_onnx::NodeProto& node, const OpsetImports& opsets) {
    const auto version = opsets.version(node.domain());
    if (!version) return nullptr;
    return find_converter(normalized_domain(node.domain()), node.op_type(), *version);
}

void check_operators(const rondo_onnx::GraphProto& graph, const OpsetImports& opsets,
                     const LocalFunctions& functions, Refusals& refusals) {
    OperatorCheck(functions, refusals).check(graph, opsets);
}

}  // namespace rondo::onnx
