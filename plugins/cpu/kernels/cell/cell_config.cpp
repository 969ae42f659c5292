#include "plugins/cpu/kernels/cell/cell_config.hpp"

#include <string>
#include <string_view>

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
    const ElementType type = config.weights.type;
    if (std::string_view(name_of(config.weights)) == "?") {
        throw ModelError(cell + "R has type " + std::string(to_string(type)) +
                         "; expected f32, f16, bf16, f64, i8 or i16");
    }
    if (config.weights.rounds_rows() && config.hidden_size > kMaxQuantized) {
        throw ModelError(cell + "hidden_size is " + std::to_string(config.hidden_size) + "; with " +
                         std::string(to_string(type)) + " weights expected at most " +
                         std::to_string(kMaxQuantized));
    }
}

}  // namespace rondo::cpu
