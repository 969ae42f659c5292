// Evaluates Concat.
#include "core/ops/movement/concat.hpp"

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/movement/evaluators.hpp"
#include "core/ops/reference/movement/view.hpp"

namespace rondo::reference {

void concat(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& joined = outputs[0];
    const auto& op = static_cast<const ops::Concat&>(node);
    const std::size_t axis =
        normalize_axis(known_context(node, inputs), op.axis(), joined.shape().size());
    std::size_t start = 0;
    for (const auto& input : inputs) {
        if (input.size() == 0) continue;
        const auto offset = static_cast<std::ptrdiff_t>(start) * joined.strides()[axis];
        Tensor part = view(joined, offset, input.shape(), joined.strides());
        input.copy_to(part);
        start += input.shape()[axis];
    }
}

}  // namespace rondo::reference
