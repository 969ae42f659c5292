// The products and the update of one phase of a cell's generated code.
#pragma once

#include <span>

#include "plugins/cpu/jit/bundle_ops.hpp"
#include "plugins/cpu/kernels/cell/cell_config.hpp"

namespace rondo::cpu::jit {

class CellCode;

struct CellPhase {
    static constexpr int kNone = -1;

    const char* suffix;  ///< of the code's name
    int vectors;         ///< gates that the phase multiplies
    int first_gate;      ///< the gate that its chains start from
    /// The vector whose chain over H starts from the recurrent bias and meets the product of the
    /// input only in the update; or kNone.
    int apart;
    /// Emits the new state of a bundle of vectors of hidden units.
    void (*emit_update)(CellCode& code, BundleOps& ops);
};

/// In the order in which a step runs them: one, or two for CellKind::gru.
std::span<const CellPhase> cell_phases(const CellConfig& config);

void emit_lstm_update(CellCode& code, BundleOps& ops);
void emit_gru_gates_update(CellCode& code, BundleOps& ops);
void emit_gru_candidate_update(CellCode& code, BundleOps& ops);
void emit_gru_linear_update(CellCode& code, BundleOps& ops);
void emit_rnn_update(CellCode& code, BundleOps& ops);

}  // namespace rondo::cpu::jit
