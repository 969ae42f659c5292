#include "transformations/recurrent/stored_weights.hpp"

#include <algorithm>

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/held_weights.hpp"

namespace rondo::passes {
namespace {

// The input of a Convert to f32, if it is a constant of 16 bits; else empty.
Tensor compressed(const Node& node) {
    const auto* convert = dynamic_cast<const ops::Convert*>(&node);
    if (convert == nullptr || convert->destination_type() != ElementType::f32) return {};
    const ElementType type = convert->input(0).element_type();
    if (type != ElementType::f16 && type != ElementType::bf16) return {};
    return known_value(convert->input(0));
}

const ops::HeldWeights* held(const Output& output) {
    return dynamic_cast<const ops::HeldWeights*>(&output.node());
}

bool holds_weights(const Output& output) {
    if (known_value(output) || held(output) != nullptr) return true;
    const auto* convert = dynamic_cast<const ops::Convert*>(&output.node());
    return convert != nullptr && known_value(convert->input(0));
}

}  // namespace

bool has_constant_weights(const ops::RecurrentOp& op) {
    const auto& inputs = op.inputs();
    return std::all_of(inputs.begin() + static_cast<std::ptrdiff_t>(op.w_port()), inputs.end(),
                       holds_weights);
}

Tensor stored_weights(const ops::RecurrentOp& op, std::size_t port) {
    const Output& source = op.input(port);
    if (const ops::HeldWeights* weights = held(source)) return weights->values();
    const Tensor narrow = compressed(source.node());
    return narrow ? narrow : known_value(source);
}

Tensor scales_of_weights(const ops::RecurrentOp& op, std::size_t port) {
    const ops::HeldWeights* weights = held(op.input(port));
    return weights == nullptr ? Tensor() : weights->scales();
}

bool reads_stored_weights(const Node& reader, std::size_t port) {
    const auto* op = dynamic_cast<const ops::RecurrentOp*>(&reader);
    if (op == nullptr || (port != op->w_port() && port != op->r_port())) return false;
    return has_constant_weights(*op) && compressed(op->input(port).node());
}

bool is_read_as_stored(const Node& convert) {
    if (!compressed(convert)) return false;
    const auto& readers = convert.consumers(0);
    return !readers.empty() &&
           std::all_of(readers.begin(), readers.end(), [](const Consumer& reader) {
               return reads_stored_weights(*reader.node, reader.input);
           });
}

}  // namespace rondo::passes
