// Evaluates GatherElements.
#include "core/ops/indexing/gather_elements.hpp"

#include <cstring>

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/indexing/evaluators.hpp"
#include "core/ops/reference/indexing/targets.hpp"

namespace rondo::reference {

void gather_elements(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const Shape& data = inputs[0].shape();
    const std::int64_t named = static_cast<const ops::GatherElements&>(node).axis();
    const std::size_t axis = normalize_axis(context, named, data.size());
    const std::size_t bytes = size_of(inputs[0].element_type());
    const auto* from = static_cast<const char*>(inputs[0].data());
    auto* to = static_cast<char*>(outputs[0].data());
    for (const std::size_t target : element_targets(context, data, inputs[1], axis)) {
        std::memcpy(to, from + target * bytes, bytes);
        to += bytes;
    }
}

}  // namespace rondo::reference
