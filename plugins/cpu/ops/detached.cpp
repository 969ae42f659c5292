#include "plugins/cpu/ops/detached.hpp"

#include "core/ops/source/source_ops.hpp"

namespace rondo::cpu {
namespace {

Output stand_in(const Output& input) {
    return make_node<ops::Parameter>(input.element_type(), input.shape());
}

// A constant of one element stays, since an op may depend on it: x to the power of 2.
Output number_or_stand_in(const Output& input) {
    const Tensor value = known_value(input);
    if (value && value.size() == 1) return make_node<ops::Constant>(value);
    return stand_in(input);
}

}  // namespace

std::shared_ptr<const Node> detached(const Node& node) {
    std::vector<Output> inputs = node.inputs();
    for (Output& input : inputs) input = number_or_stand_in(input);
    return node.clone_with(std::move(inputs));
}

std::shared_ptr<const ops::RecurrentOp> detached(const ops::RecurrentOp& layer) {
    std::vector<Output> inputs = layer.inputs();
    for (std::size_t i = 0; i < layer.w_port(); ++i) {
        inputs[i] = stand_in(inputs[i]);
    }
    return as<ops::RecurrentOp>(layer.clone_with(std::move(inputs)));
}

std::shared_ptr<const ops::Transpose> detached(const ops::Transpose& transpose) {
    return as<ops::Transpose>(
        transpose.clone_with({stand_in(transpose.input(0)), transpose.input(1)}));
}

}  // namespace rondo::cpu
