// Evaluates Broadcast.
#include "core/ops/movement/broadcast.hpp"

#include "core/ops/reference/common/context.hpp"
#include "core/ops/reference/movement/evaluators.hpp"
#include "core/ops/reference/movement/view.hpp"

namespace rondo::reference {

void broadcast(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const Tensor& data = inputs[0];
    const Shape& shape = outputs[0].shape();
    const auto mode = static_cast<const ops::Broadcast&>(node).mode();
    const auto axes = ops::broadcast_axes(known_context(node, inputs), mode, shape.size()).value();
    if (outputs[0].size() == 0) return;
    Strides strides(shape.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (data.shape()[i] != 1) strides[axes[i]] = data.strides()[i];
    }
    view(data, 0, shape, strides).copy_to(outputs[0]);
}

}  // namespace rondo::reference
