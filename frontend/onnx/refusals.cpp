#include "frontend/onnx/refusals.hpp"

#include <algorithm>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

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

}  // namespace rondo::onnx
