// Evaluates ShapeOf.
#include "core/ops/source/shape_of.hpp"

#include "core/ops/reference/source/evaluators.hpp"

namespace rondo::reference {

void shape_of(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    ops::shape_tensor(inputs[0].shape(), outputs[0].element_type()).copy_to(outputs[0]);
}

}  // namespace rondo::reference
