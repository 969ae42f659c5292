#include "frontend/onnx/refusals.hpp"

#include <algorithm>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count > 1 ? "s: " : ": ");
}

}  // namespace

void Refusals::add_feature(const std::string& message) {
    const auto known = std::find(features_.begin(), features_.end(), message);
    if (known == features_.end()) features_.push_back(message);
}

void Refusals::check() const {
    if (empty()) return;
    if (operators_.empty() && features_.size() == 1) throw UnsupportedError(features_[0]);
    std::vector<std::string> parts;
    if (!operators_.empty()) {
        parts.push_back(counted(operators_.size(), "unsupported operator") +
                        join({operators_.begin(), operators_.end()}, ", "));
    }
    if (!features_.empty()) {
        parts.push_back(counted(features_.size(), "unsupported feature") + join(features_, "; "));
    }
    if (unseen_ > 0) {
        parts.push_back("not looked at: " + std::to_string(unseen_) +
                        (unseen_ > 1 ? " nodes that hang on these" : " node that hangs on these"));
    }
    throw UnsupportedError(join(parts, "; "));
}

}  // namespace rondo::onnx
