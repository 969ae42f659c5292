// Layers that round rows, of integers and of bf16.
#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

namespace rondo::cpu::tests::scaled_weights_test {
namespace {

constexpr CellKind kKinds[] = {CellKind::lstm, CellKind::gru, CellKind::gru_linear_before_reset,
                               CellKind::rnn};

// What rows may lose, of Y and of C.
double loss(const WeightFormat& format) {
    if (format.chains_pairs()) return 0.02;
    return format.row_bits == 8 ? 0.03 : 2e-4;
}

TEST(ScaledWeights, InstructionSetsAgree) {
    Random random;
    SerialTeam team;
    for (const WeightFormat& format : kRoundingFormats) {
        for (const CellKind kind : kKinds) {
            for (const std::int64_t input : {0, 11, 300}) {
                for (const std::int64_t hidden : {1, 16, 37, 130}) {
                    CellConfig cell = busy_cell(kind, input, hidden);
                    cell.weights = format;
                    auto config = sequence_config(cell, Direction::bidirectional);
                    expect_isas_agree(config, random);
                    const std::string what = std::string(name_of(format)) + to_string(kind);
                    for (const std::int64_t batch : {1, 2, 7, 50}) {
                        const SequenceData data = random_data(config, batch, 5, random);
                        const SequenceResult expected = reference_sequence(config, data);
                        const auto got = run_sequence(
                            make_sequence(config, cpu_features().best(), data), data, team, what);
                        expect_near(got.y, expected.y, loss(format), what + " Y");
                        if (kind != CellKind::lstm) continue;
                        expect_near(got.co, expected.co, 2 * loss(format), what + " Co");
                    }
                    config.data = ElementType::f16;
                    expect_isas_agree(config, random);
                }
            }
        }
    }
}

// A row gives the same beside any others.
TEST(ScaledWeights, RowsDontDependOnTheBatch) {
    Random random;
    SerialTeam team;
    for (const WeightFormat& format : kRoundingFormats) {
        for (const CellKind kind : kKinds) {
            CellConfig cell = busy_cell(kind, 21, 35);
            cell.weights = format;
            const auto config = sequence_config(cell, Direction::forward);
            constexpr std::int64_t kMost = 70, kTime = 3;
            SequenceData data = random_data(config, kMost, kTime, random);
            const RecurrentSequence sequence = make_sequence(config, cpu_features().best(), data);
            const auto whole = run_sequence(sequence, data, team, "all");
            for (std::int64_t batch = 1; batch < kMost; ++batch) {
                data.batch = batch;
                const auto some = run_sequence(sequence, data, team, "some");
                for (std::size_t i = 0; i < some.y.size(); ++i) {
                    ASSERT_TRUE(same_bits(some.y[i], whole.y[i]))
                        << name_of(format) << " " << to_string(kind) << " N=" << batch;
                }
            }
        }
    }
}

// Rows of all the numbers that 8 bits can hold lose nothing.
TEST(ScaledWeights, QuantisedRowsOfWholeStepsAreExact) {
    Random random;
    SerialTeam team;
    constexpr std::int64_t kAll = 256;
    CellConfig cell = busy_cell(CellKind::lstm, kAll, kAll);
    cell.weights = kW8R8;
    const auto config = sequence_config(cell, Direction::bidirectional);
    for (const std::int64_t batch : {1, 3}) {
        SequenceData data = random_data(config, batch, 1, random);
        const auto fill = [](std::vector<double>& rows, double step, std::int64_t least) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const auto place = static_cast<std::int64_t>(i) * 37 % kAll;
                rows[i] = static_cast<double>(place + least) * step;
            }
        };
        fill(data.x, 1.0 / 64, -20);
        fill(data.h0, 1.0 / 128, -128);
        const SequenceResult expected = reference_sequence(config, data);
        const auto got = run_sequence(make_sequence(config, cpu_features().best(), data), data,
                                      team, "whole steps");
        expect_near(got.y, expected.y, 2e-6, "whole steps Y");
        expect_near(got.co, expected.co, 4e-6, "whole steps Co");
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::scaled_weights_test
