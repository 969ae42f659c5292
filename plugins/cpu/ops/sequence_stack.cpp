#include "plugins/cpu/ops/sequence_stack.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "plugins/cpu/ops/default_input.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

bool has_cell_state(const RecurrentOp& layer) { return layer.c_port() != RecurrentOp::npos; }

// The inputs of the layer itself.
std::vector<InferInput> inputs_of(const RecurrentOp& layer, const SequenceStack::Ports& ports,
                                  const InferContext& context) {
    const auto given = [&](std::size_t input, std::size_t port) {
        return seen_by_sequence({context.type(input), context.shape(input), context.value(input)},
                                layer.input(port).element_type());
    };
    std::vector<InferInput> inputs;
    for (const Output& source : layer.inputs()) {
        inputs.push_back({source.element_type(), source.shape(), {}});
    }
    inputs[layer.h_port()] = given(ports.h, layer.h_port());
    if (has_cell_state(layer)) inputs[layer.c_port()] = given(ports.c, layer.c_port());
    inputs[layer.lengths_port()] = given(SequenceStack::kLengths, layer.lengths_port());
    return inputs;
}

}  // namespace

SequenceStack::Ports SequenceStack::ports(std::size_t layer) const {
    Ports ports{kLengths + 1, RecurrentOp::npos, 0, 1, RecurrentOp::npos};
    for (std::size_t i = 0; i < layer; ++i) {
        const std::size_t states = has_cell_state(*layers_[i]) ? 2 : 1;
        ports.h += states;
        ports.y += 1 + states;
    }
    ports.ho = ports.y + 1;
    if (has_cell_state(*layers_[layer])) {
        ports.c = ports.h + 1;
        ports.co = ports.ho + 1;
    }
    return ports;
}

// Each layer checks and infers under its own name.
void SequenceStack::infer(InferContext& context) const {
    InferInput x{context.type(kX), context.shape(kX), {}};
    if (x.shape.has_rank() && x.shape.rank() == order_.x.size()) {
        x.shape = transposed(x.shape, order_.x);
    }
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const RecurrentOp& layer = *layers_[i];
        auto inputs = inputs_of(layer, ports(i), context);
        inputs[layer.x_port()] = x;
        InferContext alone(layer, std::move(inputs));
        layer.infer(alone);
        for (std::size_t k = 0; k < alone.outputs().size(); ++k) {
            const InferOutput& output = alone.outputs()[k];
            const bool is_turned = k == 0 && i + 1 == layers_.size();
            context.set_output(ports(i).y + k, output.type,
                               is_turned ? transposed(output.shape, order_.y) : output.shape);
        }
        const PartialShape& y = alone.outputs()[0].shape;
        x = {alone.outputs()[0].type, PartialShape{y[0], y[2], y[3]}, {}};
    }
}

std::optional<IndependentAxis> SequenceStack::independent_axis(std::size_t output,
                                                               std::size_t axis) const {
    const auto rows_of_y = static_cast<std::size_t>(
        std::find(order_.y.begin(), order_.y.end(), std::size_t{0}) - order_.y.begin());
    if (axis != (output == highest_y() ? rows_of_y : 0)) return std::nullopt;
    IndependentAxis rows(input_count(), output_count(), 0);
    rows.outputs[highest_y()] = rows_of_y;
    for (std::size_t i = 0; i < input_count(); ++i) {
        if (!is_default(input(i))) rows.inputs[i] = 0;
    }
    rows.inputs[kX] = order_.x[0];
    return rows;
}

// The rows and the time of X; D and H are the layers' own.
std::vector<ExtentSource> SequenceStack::extent_sources(std::size_t output,
                                                        std::size_t axis) const {
    const std::size_t own = output == highest_y() ? order_.y[axis] : axis;
    const bool is_y = output_shape(output).has_rank() && output_shape(output).rank() == 4;
    if (own == 0) return {{kX, order_.x[0]}};
    if (is_y && own == 2) return {{kX, order_.x[1]}};
    return {};
}

}  // namespace rondo::cpu
