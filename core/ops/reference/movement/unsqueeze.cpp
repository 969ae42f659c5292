// Evaluates Unsqueeze: a copy under another shape.
#include "core/ops/movement/unsqueeze.hpp"

#include "core/ops/reference/movement/evaluators.hpp"

namespace rondo::reference {

void unsqueeze(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    inputs[0].reshaped(outputs[0].shape()).copy_to(outputs[0]);
}

}  // namespace rondo::reference
