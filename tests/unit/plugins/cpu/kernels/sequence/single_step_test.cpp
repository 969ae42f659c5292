// Calls of one step, which go through W and R in one pass: the bits of the plain kernels.
#include <gtest/gtest.h>

#include "tests/support/forced_plan.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"

namespace rondo::cpu::tests::single_step_test {
namespace {

// A single step as the plain kernels, which never take it in one pass, compute it.
void expect_single_step(const SequenceConfig& config, const SequenceData& data) {
    SerialTeam serial;
    ThreadTeam pair(2);
    const auto plain = run_sequence(make_sequence(config, Isa::plain, data), data, serial, "plain");
    for (Isa isa : available_isas()) {
        const auto sequence = make_sequence(config, isa, data);
        const std::string what = std::string(sequence.kernel_name()) +
                                 " I=" + std::to_string(config.cells[0].input_size) +
                                 " H=" + std::to_string(config.cells[0].hidden_size) +
                                 " N=" + std::to_string(data.batch);
        expect_same_bits(run_sequence(sequence, data, serial, what), plain, what);
        for (const Strategy strategy : {Strategy::hidden_split, Strategy::batch_split}) {
            const auto split = forced_plan(sequence, strategy, data.batch, 1, 2);
            if (!split) continue;
            expect_same_bits(run_sequence(sequence, data, pair, what, split), plain,
                             what + ", " + to_string(strategy));
        }
    }
}

// One step of a few rows goes through W and R in one pass: each number of rows up to those that
// don't, whole and partial blocks, every type of weights, shares of rows and of blocks.
TEST(SingleStep, InOnePass) {
    Random random;
    constexpr auto kF32 = ElementType::f32, kF16 = ElementType::f16, kF64 = ElementType::f64;
    const std::pair<ElementType, ElementType> types[] = {
        {kF32, kF32}, {kF64, kF64}, {kF16, kF16}, {kF16, kF32}};
    for (CellKind kind : kKinds) {
        for (const auto& [w, r] : types) {
            for (std::int64_t hidden : {16, 71}) {
                for (std::int64_t batch = 1; batch <= 6; ++batch) {
                    CellConfig cell = busy_cell(kind, 9 * batch, hidden);
                    cell.weights = r;
                    auto config = sequence_config(cell, Direction::bidirectional);
                    config.input_weights = w;
                    expect_single_step(config, random_data(config, batch, 1, random));
                }
            }
        }
    }
}

// No inputs at all, rows without a step, X that is widened on the way.
TEST(SingleStep, AtTheEdges) {
    Random random;
    for (CellKind kind : kKinds) {
        const auto empty = sequence_config(busy_cell(kind, 0, 37), Direction::reverse);
        expect_single_step(empty, random_data(empty, 2, 1, random));
        auto config = sequence_config(busy_cell(kind, 33, 37), Direction::reverse);
        SequenceData data = random_data(config, 4, 1, random);
        for (const auto& lengths : {std::vector<std::int64_t>{1, 0, 1, 1}, {0, 0, 0, 0}}) {
            data.lengths = lengths;
            expect_single_step(config, data);
        }
        config.data = ElementType::bf16;
        expect_single_step(config, random_data(config, 3, 1, random));
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::single_step_test
