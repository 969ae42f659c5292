#include "frontend/onnx/refusals.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <set>

#include "core/support/strings.hpp"
#include "frontend/onnx/node_places.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo::onnx {

void Refusals::add_operator(const std::string& name, const std::string& node,
                            const std::string& hint) {
    auto& refused = operators_.try_emplace(name, Refused{node, hint}).first->second;
    ++refused.nodes;
}

void Refusals::add_feature(const std::string& message) {
    const auto known = std::find(features_.begin(), features_.end(), message);
    if (known == features_.end() && features_.size() < kMostFeatures) features_.push_back(message);
    if (features_.size() == kMostFeatures) check();
}

std::string Refusals::operators_text() const {
    std::vector<std::string> texts;
    bool all_hinted = true;
    for (const auto& [name, refused] : operators_) {
        const std::string first = "'" + refused.first_node + "'";
        texts.push_back(name + (refused.nodes == 1 ? " at node " + first
                                                   : " at " + std::to_string(refused.nodes) +
                                                         " nodes, the first " + first));
        if (!refused.hint.empty()) texts.back() += " (" + refused.hint + ")";
        all_hinted = all_hinted && !refused.hint.empty();
    }
    return counted(texts.size(), "unsupported operator") + ": " + join(texts, ", ") +
           (all_hinted ? "" : "; docs/onnx_operators.md lists those that are read");
}

void Refusals::check() const {
    if (empty()) return;
    if (operators_.empty() && features_.size() == 1) throw UnsupportedError(features_[0]);
    std::vector<std::string> parts;
    if (!operators_.empty()) parts.push_back(operators_text());
    if (!features_.empty()) {
        parts.push_back(counted(features_.size(), "unsupported feature") + ": " +
                        join(features_, "; ") +
                        (features_.size() == kMostFeatures ? "; the rest isn't looked at" : ""));
    }
    if (unseen_ > 0) {
        parts.push_back("not looked at: " + std::to_string(unseen_) +
                        (unseen_ > 1 ? " nodes that hang on these" : " node that hangs on these"));
    }
    throw UnsupportedError(join(parts, "; "));
}

std::string operator_name(const rondo_onnx::NodeProto& node) {
    const std::string domain = normalized_domain(node.domain());
    return domain.empty() ? node.op_type() : domain + "." + node.op_type();
}

namespace {

// "LSTM (opset 14)".
std::string versioned_name(const rondo_onnx::NodeProto& node, const OpsetImports& opsets) {
    const auto version = opsets.version(node.domain());
    return operator_name(node) + (version ? " (opset " + std::to_string(*version) + ")"
                                          : " (its domain has no opset_import)");
}

// What helps if an operator isn't read: another opset, or the name that was meant.
std::string hint_for(const rondo_onnx::NodeProto& node, const OpsetImports& opsets) {
    if (!opsets.version(node.domain())) return {};
    const std::string domain = normalized_domain(node.domain());
    std::vector<std::string> names;
    for (const auto& entry : op_list()) {
        if (entry.domain != domain) continue;
        // Sorted by version, so that the first one of the name is its oldest.
        if (entry.name == node.op_type()) {
            return "read from opset " + std::to_string(entry.since) + " on";
        }
        names.emplace_back(entry.name);
    }
    const std::string meant = nearest_name(node.op_type(), names);
    return meant.empty() ? meant : "did you mean '" + meant + "'?";
}

class OperatorCheck {
public:
    OperatorCheck(const LocalFunctions& functions, Refusals& refusals)
        : functions_(functions), refusals_(refusals) {}

    template <typename Graph>
    void check(const Graph& graph, const OpsetImports& opsets) {
        for (int index = 0; index < graph.node_size(); ++index) {
            const auto& node = graph.node(index);
            for (const auto& attribute : node.attribute()) {
                if (attribute.has_g()) check(attribute.g(), opsets);
            }
            if (const auto* function = functions_.find(node)) {
                if (seen_.insert(function).second) check(*function, OpsetImports(*function));
            } else if (!find_converter(node, opsets)) {
                add(node, shown_name(node, index), opsets);
            }
        }
    }

private:
    void add(const rondo_onnx::NodeProto& node, const std::string& name,
             const OpsetImports& opsets) {
        refusals_.add_operator(versioned_name(node, opsets), name, hint_for(node, opsets));
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

std::string missing_converter_text(const rondo_onnx::NodeProto& node, const OpsetImports& opsets) {
    const std::string hint = hint_for(node, opsets);
    return "unsupported operator " + versioned_name(node, opsets) +
           (hint.empty() ? "" : " (" + hint + ")");
}

void check_operators(const rondo_onnx::GraphProto& graph, const OpsetImports& opsets,
                     const LocalFunctions& functions, Refusals& refusals) {
    OperatorCheck(functions, refusals).check(graph, opsets);
}

}  // namespace rondo::onnx
