// Evaluates GatherND.
#include "core/ops/indexing/gather_nd.hpp"

#include <cstring>

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/indexing/evaluators.hpp"
#include "core/ops/reference/indexing/targets.hpp"

namespace rondo::reference {

void gather_nd(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const InferContext context = known_context(node, inputs);
    const auto batch =
        static_cast<std::size_t>(static_cast<const ops::GatherND&>(node).batch_dims());
    const std::size_t bytes = size_of(inputs[0].element_type());
    const auto* from = static_cast<const char*>(inputs[0].data());
    auto* to = static_cast<char*>(outputs[0].data());
    for (const std::size_t target : slice_targets(context, inputs[0].shape(), inputs[1], batch)) {
        std::memcpy(to, from + target * bytes, bytes);
        to += bytes;
    }
}

}  // namespace rondo::reference
