#include "plugins/cpu/kernels/cell/cell_config.hpp"

#include <string>

#include "rondo/error.hpp"

namespace rondo::cpu {

const char* name_of(CellKind kind) {
    switch (kind) {
        case CellKind::lstm: return "lstm";
        case CellKind::gru: return "gru";
        case CellKind::gru_linear_before_reset: return "gru_lbr";
        case CellKind::rnn: return "rnn";
    }
    return "?";
}

int gates_of(CellKind kind) {
    if (kind == CellKind::lstm) return 4;
    return kind == CellKind::rnn ? 1 : 3;
}

int biases_of(CellKind kind) {
    return kind == CellKind::gru_linear_before_reset ? 4 : gates_of(kind);
}

CellConfig default_cell(CellKind kind, std::int64_t input_size, std::int64_t hidden_size) {
    CellConfig config;
    config.kind = kind;
    config.input_size = input_size;
    config.hidden_size = hidden_size;
    if (kind == CellKind::rnn) config.f = {ActivationKind::tanh};
    return config;
}

const char* weights_suffix(ElementType type) {
    switch (type) {
        case ElementType::f64: return "f64";
        case ElementType::f16: return "f16w";
        case ElementType::bf16: return "bf16w";
        default: return "f32";
    }
}

void check_cell(const CellConfig& config) {
    const std::string cell = std::string("recurrent cell '") + name_of(config.kind) + "': ";
    if (config.input_size < 0 || config.hidden_size <= 0) {
        throw ModelError(cell + "input_size is " + std::to_string(config.input_size) +
                         " and hidden_size is " + std::to_string(config.hidden_size) +
                         "; expected input_size >= 0 and hidden_size > 0");
    }
    if (!(config.clip >= 0.0f)) {
        throw ModelError(cell + "clip is " + std::to_string(config.clip) +
                         "; expected a number >= 0 (0 = no clip)");
    }
    if (config.kind != CellKind::lstm && (config.peephole || config.input_forget)) {
        throw ModelError(cell + "peepholes and input_forget exist for LSTM only");
    }
    if (!is_floating(config.weights)) {
        throw ModelError(cell + "R has type " + std::string(to_string(config.weights)) +
                         "; expected f32, f16, bf16 or f64");
    }
}

}  // namespace rondo::cpu
