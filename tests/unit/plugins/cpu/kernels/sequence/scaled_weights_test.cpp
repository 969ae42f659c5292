// Layers whose weights stand beside scales.
#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

namespace rondo::cpu::test {
namespace {

// All instruction sets agree on scaled weights, whatever stores them, and with the reference.
TEST(ScaledWeights, InstructionSetsAgree) {
    Random random;
    SerialTeam team;
    for (ElementType type : {ElementType::f16, ElementType::f32}) {
        for (std::int64_t hidden : {1, 16, 37, 130}) {
            CellConfig cell = busy_cell(CellKind::lstm, 11, hidden);
            cell.weights = type;
            cell.scaled = true;
            const auto config = sequence_config(cell, Direction::bidirectional);
            expect_isas_agree(config, random);
            for (std::int64_t batch : {1, 2, 7}) {
                const SequenceData data = random_data(config, batch, 5, random);
                const SequenceResult expected = reference_sequence(config, data);
                const auto got = run_sequence(make_sequence(config, cpu_features().best(), data),
                                              data, team, "scaled");
                expect_near(got.y, expected.y, 2e-6, "scaled Y");
                expect_near(got.co, expected.co, 2e-6, "scaled Co");
            }
        }
    }
}

// i8 weights are multiplied in integers: rows are rounded to 16 bits, sums are exact.
TEST(ScaledWeights, InstructionSetsAgreeForIntegers) {
    Random random;
    SerialTeam team;
    for (const std::int64_t input : {0, 2, 12, 300}) {
        for (const std::int64_t hidden : {2, 16, 38, 130}) {
            CellConfig cell = busy_cell(CellKind::lstm, input, hidden);
            cell.weights = ElementType::i8;
            cell.scaled = true;
            auto config = sequence_config(cell, Direction::bidirectional);
            expect_isas_agree(config, random);
            for (const std::int64_t batch : {1, 2, 7, 50}) {
                const SequenceData data = random_data(config, batch, 5, random);
                const SequenceResult expected = reference_sequence(config, data);
                const auto got = run_sequence(make_sequence(config, cpu_features().best(), data),
                                              data, team, "integers");
                expect_near(got.y, expected.y, 3e-4, "integers Y");
                expect_near(got.co, expected.co, 3e-4, "integers Co");
            }
            config.data = ElementType::f16;
            expect_isas_agree(config, random);
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::test
