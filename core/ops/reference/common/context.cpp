#include "core/ops/reference/common/context.hpp"

namespace rondo::reference {

InferContext known_context(const Node& node, std::span<const Tensor> inputs) {
    std::vector<InferInput> seen;
    for (const auto& input : inputs) seen.push_back({input.element_type(), input.shape(), input});
    return {node, std::move(seen)};
}

}  // namespace rondo::reference
