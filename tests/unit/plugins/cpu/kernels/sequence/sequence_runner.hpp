// Runs a RecurrentSequence on random data between guards.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/reference_sequence.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests {

inline constexpr CellKind kKinds[] = {CellKind::lstm, CellKind::gru,
                                      CellKind::gru_linear_before_reset, CellKind::rnn};

/// Every option that changes a cell's arithmetic.
inline CellConfig busy_cell(CellKind kind, std::int64_t input, std::int64_t hidden) {
    CellConfig cell = default_cell(kind, input, hidden);
    cell.clip = 0.9f;
    cell.peephole = kind == CellKind::lstm;
    return cell;
}

struct SequenceOutput {
    std::vector<double> y, ho, co;
};

/// Both directions where bidirectional, with the same cell. W and the data get the type of R, but
/// for 16-bit weights: there the data is f32.
SequenceConfig sequence_config(const CellConfig& cell, Direction direction);

/// Weights, states and input for `config`; weights small enough for linear cells to stay tame.
SequenceData random_data(const SequenceConfig& config, std::int64_t batch, std::int64_t time,
                         Random& random);

/// Y, Ho and Co (LSTM) in buffers with guards, checked. `scratch` is filled with NaN before.
/// With `plan`, else with the one that the sequence chooses.
SequenceOutput run_sequence(const RecurrentSequence& sequence, const SequenceData& data, Team& team,
                            const std::string& what,
                            const std::optional<SequencePlan>& plan = std::nullopt);

RecurrentSequence make_sequence(const SequenceConfig& config, Isa isa, const SequenceData& data);

void expect_same_bits(const SequenceOutput& got, const SequenceOutput& expected,
                      const std::string& what);

/// As the kernels take them where all types are f32.
std::vector<float> floats(const std::vector<double>& values);

/// The instruction sets that this CPU has, weakest first.
std::vector<Isa> available_isas();

/// Every instruction set gives the bits of the plain kernels, rows of several lengths among them.
void expect_isas_agree(const SequenceConfig& config, Random& random);

}  // namespace rondo::cpu::tests
