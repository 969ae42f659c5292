// A GRU whose r is a function of z's sum, beside the same layer with sums for both.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "plugins/cpu/kernels/threads/team.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

namespace rondo::cpu::tests::shared_gate_test {
namespace {

// The rows of z and h as those of z, r and h.
std::vector<double> with_reset_gate(const std::vector<double>& weights, std::int64_t directions,
                                    ResetSum reset) {
    const double sign = reset == ResetSum::negative_of_z ? -1 : 1;
    std::vector<double> all;
    const auto half = static_cast<std::ptrdiff_t>(weights.size()) / (2 * directions);
    for (auto row = weights.begin(); row != weights.end(); row += 2 * half) {
        all.insert(all.end(), row, row + half);
        std::transform(row, row + half, std::back_inserter(all),
                       [&](double weight) { return sign * weight; });
        all.insert(all.end(), row + half, row + 2 * half);
    }
    return all;
}

void expect_bits_of_both_gates(const CellConfig& cell, Direction direction, std::int64_t batch,
                               std::int64_t time, Random& random) {
    const SequenceConfig shared = sequence_config(cell, direction);
    const SequenceData data = random_data(shared, batch, time, random);
    SequenceConfig full = shared;
    for (CellConfig& each : full.cells) each.reset = ResetSum::own;
    const auto directions = static_cast<std::int64_t>(full.cells.size());
    SequenceData all = data;
    for (auto member : {&SequenceData::w, &SequenceData::r, &SequenceData::b}) {
        all.*member = with_reset_gate(data.*member, directions, cell.reset);
    }
    SerialTeam team;
    for (const Isa isa : available_isas()) {
        const std::string what = std::string(name_of(isa)) +
                                 ", H = " + std::to_string(cell.hidden_size) +
                                 ", N = " + std::to_string(batch);
        expect_same_bits(run_sequence(make_sequence(shared, isa, data), data, team, what),
                         run_sequence(make_sequence(full, isa, all), all, team, what), what);
    }
}

TEST(SharedGate, HasTheBitsOfBothGates) {
    Random random;
    for (const NamedFormat& weights : kWeightFormats) {
        if (weights.format.integers()) continue;  // their layers keep both gates
        for (const std::int64_t hidden : {1, 16, 37, 128}) {
            CellConfig cell = default_cell(CellKind::gru, 5, hidden);
            cell.weights = weights.format;
            for (const std::int64_t batch : {1, 2, 7}) {
                cell.reset = batch == 2 ? ResetSum::of_z : ResetSum::negative_of_z;
                expect_bits_of_both_gates(cell, Direction::bidirectional, batch, 3, random);
                expect_bits_of_both_gates(cell, Direction::reverse, batch, 20, random);
            }
        }
    }
}

TEST(SharedGate, ClipAndOtherFunctions) {
    Random random;
    CellConfig cell = busy_cell(CellKind::gru, 9, 21);
    cell.reset = ResetSum::of_z;
    cell.f = {ActivationKind::hard_sigmoid, 0.2F, 0.5F};
    cell.g = {ActivationKind::relu};
    expect_bits_of_both_gates(cell, Direction::forward, 5, 6, random);
}

}  // namespace
}  // namespace rondo::cpu::tests::shared_gate_test
