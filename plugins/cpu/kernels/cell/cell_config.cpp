#include "plugins/cpu/kernels/cell/cell_config.hpp"

#include <string>

#include "plugins/cpu/kernels/product/quantized_rows.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {

CellConfig default_cell(CellKind kind, std::int64_t input_size, std::int64_t hidden_size) {
    CellConfig config;
    config.kind = kind;
    config.input_size = input_size;
    config.hidden_size = hidden_size;
    const ops::CellInfo& info = ops::info_of(kind);
    Activation* const functions[] = {&config.f, &config.g, &config.h};
    for (int i = 0; i < info.functions; ++i) {
        *functions[i] = default_activation(info.activations[i]);
    }
    return config;
}

void check_cell(const CellConfig& config) {
    const std::string cell = std::string("recurrent cell '") + to_string(config.kind) + "': ";
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
    if (config.reset != ResetSum::own && config.kind != CellKind::gru) {
        throw ModelError(cell + "a reset gate of z's sum exists for gru only");
    }
    if (config.scaled && (config.kind != CellKind::lstm || config.weights == ElementType::f64)) {
        throw ModelError(cell + "scaled weights exist for LSTM in f32 only");
    }
    if (quantizes_rows(config.weights) && config.scaled) {
        if (config.hidden_size <= kMaxQuantized) return;
        throw ModelError(cell + "hidden_size is " + std::to_string(config.hidden_size) +
                         "; with i8 weights expected at most " + std::to_string(kMaxQuantized));
    }
    if (!is_floating(config.weights)) {
        throw ModelError(cell + "R has type " + std::string(to_string(config.weights)) +
                         "; expected f32, f16, bf16 or f64");
    }
}

}  // namespace rondo::cpu
