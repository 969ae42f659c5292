#include "plugins/cpu/nodes/recurrent_config.hpp"

#include "core/support/check.hpp"

namespace rondo::cpu {
namespace {

Activation activation_of(const ops::ActivationFunction& function) {
    Activation activation = activation_by_name(ops::to_string(function.kind));
    if (takes_alpha(activation.kind)) activation.alpha = function.alpha;
    if (takes_beta(activation.kind)) activation.beta = function.beta;
    return activation;
}

CellKind kind_of(const ops::RecurrentOp& op) {
    switch (op.cell_type()) {
        case ops::CellType::lstm: return CellKind::lstm;
        case ops::CellType::rnn: return CellKind::rnn;
        case ops::CellType::gru: break;
    }
    return op.attributes().linear_before_reset ? CellKind::gru_linear_before_reset : CellKind::gru;
}

SequenceDirection direction_of(const ops::RecurrentOp& op) {
    if (!op.is_sequence()) return SequenceDirection::forward;
    switch (op.attributes().direction) {
        case ops::Direction::forward: return SequenceDirection::forward;
        case ops::Direction::reverse: return SequenceDirection::reverse;
        case ops::Direction::bidirectional: break;
    }
    return SequenceDirection::bidirectional;
}

}  // namespace

SequenceConfig sequence_config(const ops::RecurrentOp& op, std::int64_t input_size) {
    SequenceConfig config;
    config.direction = direction_of(op);
    config.data = config.input_weights = op.output_type(0);
    for (const auto& functions : op.resolved_activations()) {
        internal_check(!functions.empty(), "a recurrent op without activation functions");
        CellConfig cell = default_cell(kind_of(op), input_size, op.attributes().hidden_size);
        cell.f = activation_of(functions[0]);
        if (functions.size() > 1) cell.g = activation_of(functions[1]);
        if (functions.size() > 2) cell.h = activation_of(functions[2]);
        cell.clip = op.attributes().clip;
        cell.input_forget = op.attributes().input_forget;
        cell.peephole = op.p_port() != ops::RecurrentOp::npos;
        cell.weights = config.data;
        config.cells.push_back(cell);
    }
    return config;
}

SequenceArgs sequence_args(const ops::RecurrentOp& op, const SequenceConfig& config,
                           const Shape& x) {
    const auto time = op.is_sequence() ? static_cast<std::int64_t>(x[1]) : 1;
    return dense_args(config, static_cast<std::int64_t>(x[0]), time);
}

}  // namespace rondo::cpu
