#include "plugins/cpu/jit/cell_phase.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr int kNone = CellPhase::kNone;

// suffix, vectors, first gate, apart, update
constexpr CellPhase kLstm[] = {{"", 4, 0, kNone, emit_lstm_update}};
constexpr CellPhase kGru[] = {{"_zr", 2, 0, kNone, emit_gru_gates_update},
                              {"_h", 1, 2, kNone, emit_gru_candidate_update}};
constexpr CellPhase kGruOfOneSum[] = {{"_z", 1, 0, kNone, emit_gru_gates_update},
                                      {"_h", 1, 1, kNone, emit_gru_candidate_update}};
constexpr CellPhase kGruLinear[] = {{"", 3, 0, 2, emit_gru_linear_update}};
constexpr CellPhase kRnn[] = {{"", 1, 0, kNone, emit_rnn_update}};

}  // namespace

std::span<const CellPhase> cell_phases(const CellConfig& config) {
    if (config.reset != ResetSum::own) return kGruOfOneSum;
    switch (config.kind) {
        case CellKind::lstm: return kLstm;
        case CellKind::gru: return kGru;
        case CellKind::gru_linear_before_reset: return kGruLinear;
        case CellKind::rnn: return kRnn;
    }
    return {};
}

}  // namespace rondo::cpu::jit
