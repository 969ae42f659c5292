// The same input gives the same bits: for any instruction set, team, split or chunk.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "tests/support/forced_plan.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"
#include "tests/unit/plugins/cpu/kernels/typed_buffer.hpp"

namespace rondo::cpu::tests::sequence_bits_test {
namespace {

TEST(SequenceBits, InstructionSetsAgree) {
    Random random;
    for (CellKind kind : kKinds) {
        for (std::int64_t hidden : {1, 16, 37}) {
            const auto config =
                sequence_config(busy_cell(kind, 11, hidden), Direction::bidirectional);
            expect_isas_agree(config, random);
        }
    }
}

// f64, and 16-bit data round f32 arithmetic.
TEST(SequenceBits, InstructionSetsAgreeForOtherTypes) {
    Random random;
    for (CellKind kind : kKinds) {
        for (ElementType type : {ElementType::f64, ElementType::f16, ElementType::bf16}) {
            for (std::int64_t hidden : {1, 16, 37}) {
                CellConfig cell = busy_cell(kind, 11, hidden);
                cell.weights = type;
                auto config = sequence_config(cell, Direction::bidirectional);
                config.data = type;
                expect_isas_agree(config, random);
            }
        }
    }
}

// 16-bit data: the f32 layer's numbers, rounded where they go out.
TEST(SequenceBits, NarrowDataIsRoundedOnceAtTheEnd) {
    Random random;
    SerialTeam team;
    for (CellKind kind : kKinds) {
        for (ElementType type : {ElementType::f16, ElementType::bf16}) {
            auto config = sequence_config(busy_cell(kind, 7, 21), Direction::bidirectional);
            auto narrow = config;
            narrow.data = type;
            SequenceData data = random_data(narrow, 3, 9, random);
            data.lengths = {9, 4, 0};
            SequenceOutput expected =
                run_sequence(make_sequence(config, cpu_features().best(), data), data, team, "f32");
            for (auto* values : {&expected.y, &expected.ho, &expected.co}) {
                round_all(*values, type);
            }
            expect_same_bits(run_sequence(make_sequence(narrow, cpu_features().best(), data), data,
                                          team, "narrow"),
                             expected, to_string(kind));
        }
    }
}

TEST(SequenceBits, InstructionSetsAgreeForEveryActivation) {
    Random random;
    for (const ops::ActivationInfo& info : ops::kActivations) {
        const ActivationKind kind = info.kind;
        CellConfig cell = default_cell(CellKind::lstm, 7, 19);
        cell.f = cell.g = cell.h = default_activation(kind);
        const auto config = sequence_config(cell, Direction::forward);
        const SequenceData data = random_data(config, 3, 3, random);
        SerialTeam team;
        const SequenceOutput plain =
            run_sequence(make_sequence(config, Isa::plain, data), data, team, "plain");
        for (Isa isa : available_isas()) {
            expect_same_bits(run_sequence(make_sequence(config, isa, data), data, team, "run"),
                             plain, std::string(to_string(kind)) + " on " + name_of(isa));
        }
    }
}

// Weights of 16 bits: as the f32 kernel on the widened weights; W and R may differ in type.
TEST(SequenceBits, WidenedWeightsMakeNoDifference) {
    Random random;
    SerialTeam team;
    constexpr auto kF32 = ElementType::f32, kF16 = ElementType::f16, kBf16 = ElementType::bf16;
    const std::pair<ElementType, ElementType> types[] = {
        {kF16, kF16}, {kBf16, kBf16}, {kF16, kF32}, {kF32, kBf16}};
    for (CellKind kind : kKinds) {
        for (const auto& [w, r] : types) {
            for (std::int64_t hidden : {1, 15, 16, 37, 130}) {
                auto config =
                    sequence_config(busy_cell(kind, 11, hidden), Direction::bidirectional);
                const auto wide = config;
                config.input_weights = w;
                for (CellConfig& cell : config.cells) cell.weights = r;
                SequenceData data = random_data(config, 7, 3, random);
                data.lengths = {3, 2, 0, 1, 3, 3, 1};
                for (Isa isa : available_isas()) {
                    const SequenceOutput expected =
                        run_sequence(make_sequence(wide, isa, data), data, team, "wide");
                    const SequenceOutput got =
                        run_sequence(make_sequence(config, isa, data), data, team, "narrow");
                    expect_same_bits(got, expected, std::string(to_string(kind)) + name_of(isa));
                }
            }
        }
    }
}

// A single row projects the inputs of later steps on the side: more, fewer or as many of them as
// its products have terms; whole groups of steps and what is left of one; an odd number of panels.
TEST(SequenceBits, InputsProjectedOnTheSide) {
    Random random;
    SerialTeam serial;
    ThreadTeam pair(2);
    for (CellKind kind : kKinds) {
        for (std::int64_t hidden : {16, 48, 71}) {
            for (std::int64_t input : {1, 30, 150}) {
                const auto config =
                    sequence_config(busy_cell(kind, input, hidden), Direction::bidirectional);
                for (std::int64_t time : {8, 15, 16, 25, 32}) {
                    const SequenceData data = random_data(config, 1, time, random);
                    const auto plain = run_sequence(make_sequence(config, Isa::plain, data), data,
                                                    serial, "plain");
                    const auto sequence = make_sequence(config, cpu_features().best(), data);
                    const std::string what =
                        std::string(to_string(kind)) + " H=" + std::to_string(hidden) +
                        " I=" + std::to_string(input) + " T=" + std::to_string(time);
                    expect_same_bits(run_sequence(sequence, data, serial, what), plain, what);
                    const auto split = forced_plan(sequence, Strategy::hidden_split, 1, time, 2);
                    if (!split) continue;
                    expect_same_bits(run_sequence(sequence, data, pair, what, split), plain,
                                     what + ", split");
                }
            }
        }
    }
}

// Slices of rows with lengths take them in turns, in their order.
TEST(SequenceBits, RowsDealtOutByLength) {
    Random random;
    SerialTeam serial;
    ThreadTeam team(3);
    const auto config = sequence_config(busy_cell(CellKind::gru, 5, 20), Direction::reverse);
    SequenceData data = random_data(config, 8, 9, random);
    data.lengths = {1, 9, 0, 4, 9, 2, 7, 7};
    const auto sequence = make_sequence(config, cpu_features().best(), data);
    const auto split = forced_plan(sequence, Strategy::batch_split, 8, 9, 3);
    ASSERT_TRUE(split);
    expect_same_bits(run_sequence(sequence, data, team, "split", split),
                     run_sequence(sequence, data, serial, "serial"), "rows");
}

// Rows run alone as they run among others.
TEST(SequenceBits, RowsDoNotDependOnTheBatch) {
    Random random;
    for (CellKind kind : kKinds) {
        const auto config = sequence_config(busy_cell(kind, 5, 21), Direction::forward);
        const SequenceData data = random_data(config, 13, 4, random);
        SerialTeam team;
        const RecurrentSequence sequence = make_sequence(config, cpu_features().best(), data);
        const SequenceOutput all = run_sequence(sequence, data, team, "all rows");
        for (std::int64_t n = 0; n < data.batch; ++n) {
            SequenceData row = data;
            row.batch = 1;
            const auto part = [n](const std::vector<double>& values, std::int64_t size) {
                return std::vector<double>(values.begin() + n * size,
                                           values.begin() + (n + 1) * size);
            };
            row.x = part(data.x, 4 * 5);
            row.h0 = part(data.h0, 21);
            row.c0 = part(data.c0, 21);
            const SequenceOutput one = run_sequence(sequence, row, team, "one row");
            expect_same_bits(one.y, part(all.y, 4 * 21), std::string(to_string(kind)) + " Y");
            expect_same_bits(one.ho, part(all.ho, 21), std::string(to_string(kind)) + " Ho");
        }
    }
}

// A sequence fed in chunks of 1, 2, 3 and more steps, its state carried on in place, as in one
// call.
void expect_chunks_carry_state(const SequenceConfig& config, std::int64_t batch, Random& random) {
    const std::int64_t time = 33;
    const SequenceData data = random_data(config, batch, time, random);
    SerialTeam team;
    const RecurrentSequence sequence = make_sequence(config, cpu_features().best(), data);
    const SequenceOutput whole = run_sequence(sequence, data, team, "whole");
    const std::vector<float> x = floats(data.x);
    std::vector<float> h = floats(data.h0), c = floats(data.c0), y(whole.y.size());
    for (std::int64_t first = 0, size = 1; first < time; first += size, ++size) {
        SequenceArgs args = dense_args(config, batch, time);
        args.time = std::min(size, time - first);
        args.x = x.data() + first * args.x_time_stride;
        args.y = y.data() + first * args.y_time_stride;
        args.h0 = args.ho = h.data();
        args.c0 = args.co = c.data();
        const SequencePlan plan = sequence.prepare(batch, args.time, 1);
        AlignedBuffer scratch(plan.scratch_bytes / sizeof(float));
        sequence.run(plan, args, team, scratch.data());
    }
    const std::string what = std::string(sequence.kernel_name()) + " N=" + std::to_string(batch);
    expect_same_bits(y, whole.y, what + " Y");
    expect_same_bits(h, whole.ho, what + " Ho");
}

TEST(SequenceBits, ChunksCarryTheirState) {
    Random random;
    for (CellKind kind : kKinds) {
        for (const WeightFormat& weights :
             {WeightFormat(), WeightFormat(ElementType::f16), kW8R8, kW8R16, kW16R16, kBf16}) {
            for (std::int64_t batch : {1, 2, 5}) {
                CellConfig cell = busy_cell(kind, 5, 21);
                cell.weights = weights;
                auto config = sequence_config(cell, Direction::forward);
                config.input_weights = weights;
                expect_chunks_carry_state(config, batch, random);
            }
        }
    }
}

std::vector<std::byte> packed_by(Team& team, const RecurrentSequence& sequence,
                                 const SequenceWeights& weights) {
    AlignedBytes memory(sequence.packed_bytes());
    std::fill_n(memory.data(), memory.size(), std::byte{0xa5});
    sequence.pack(weights, memory.data(), team);
    return {memory.data(), memory.data() + memory.size()};
}

// Weights that come at run time are packed by the request's team; large enough for it to be asked.
TEST(SequenceBits, TeamsPackAlike) {
    Random random;
    for (CellKind kind : kKinds) {
        for (ElementType type : {ElementType::f32, ElementType::f16, ElementType::f64}) {
            CellConfig cell = busy_cell(kind, 150, 299);
            cell.weights = type;
            const auto config = sequence_config(cell, Direction::bidirectional);
            const SequenceData data = random_data(config, 0, 0, random);
            TypedBuffer w(config.input_weights.type, data.w), r(type, data.r);
            TypedBuffer b(config.data, data.b), p(config.data, data.p);
            const SequenceWeights weights{w.data(), r.data(), b.data(), p.data_or_null()};
            const RecurrentSequence sequence(config, cpu_features().best());
            SerialTeam one;
            ThreadTeam two(2);
            BackwardTeam five(5);
            const auto expected = packed_by(one, sequence, weights);
            EXPECT_EQ(packed_by(two, sequence, weights), expected) << to_string(kind);
            EXPECT_EQ(packed_by(five, sequence, weights), expected) << to_string(kind);
        }
    }
}

// The tile of projected steps is cut by the cache's size: a long sequence has several.
TEST(SequenceBits, LongSequencesOfSeveralTiles) {
    Random random;
    const auto config = sequence_config(default_cell(CellKind::lstm, 1, 64), Direction::reverse);
    const SequenceData data = random_data(config, 7, 600, random);
    SerialTeam team;
    if (!cpu_features().avx2) GTEST_SKIP() << "slow without AVX2";
    const SequenceOutput expected =
        run_sequence(make_sequence(config, Isa::avx2, data), data, team, "avx2");
    expect_same_bits(
        run_sequence(make_sequence(config, cpu_features().best(), data), data, team, "best"),
        expected, "several tiles");
    expect_near(expected.y, reference_sequence(config, data).y, 5e-6, "several tiles");
}

struct SplitCase {
    Strategy strategy;
    Direction direction;
    std::int64_t hidden, batch, time;
    int threads;  // where an LSTM on AVX-512 takes this strategy
};

// Every strategy is reached, and gives the bits of the serial run, whoever runs the slices.
TEST(SequenceBits, TeamsAgreeWithOneThread) {
    const SplitCase cases[] = {
        {Strategy::direction_split, Direction::bidirectional, 64, 1, 200, 2},
        {Strategy::batch_split, Direction::forward, 48, 14, 40, 2},
        {Strategy::batch_split, Direction::bidirectional, 48, 14, 40, 4},
        {Strategy::hidden_split, Direction::forward, 320, 1, 20, 2},
        {Strategy::hidden_split, Direction::reverse, 320, 1, 20, 4},
    };
    Random random;
    ThreadTeam two(2), four(4);
    BackwardTeam backward(4);
    for (const SplitCase& test : cases) {
        for (CellKind kind : kKinds) {
            auto config = sequence_config(busy_cell(kind, 16, test.hidden), test.direction);
            if (kind == CellKind::gru) config.data = ElementType::f16;
            SequenceData data = random_data(config, test.batch, test.time, random);
            data.lengths.assign(static_cast<std::size_t>(test.batch), test.time);
            data.lengths.back() = test.time / 2;
            const RecurrentSequence sequence = make_sequence(config, cpu_features().best(), data);
            SerialTeam one;
            const SequenceOutput serial = run_sequence(sequence, data, one, "serial");
            for (Team* team : {static_cast<Team*>(&two), static_cast<Team*>(&four),
                               static_cast<Team*>(&backward)}) {
                const std::string what = std::string(to_string(test.strategy)) + " of " +
                                         to_string(kind) + ", team of " +
                                         std::to_string(team->size());
                if (kind == CellKind::lstm && cpu_features().avx512 &&
                    team->size() == test.threads) {
                    const auto choice =
                        sequence.prepare(test.batch, test.time, team->size()).choice;
                    EXPECT_EQ(choice.strategy, test.strategy) << what;
                }
                expect_same_bits(run_sequence(sequence, data, *team, what), serial, what);
            }
        }
    }
}

// Strategies that are never chosen for these sizes; 67 units make an odd number of blocks.
TEST(SequenceBits, ForcedStrategiesAgree) {
    Random random;
    ThreadTeam two(2), four(4);
    std::set<std::tuple<Strategy, int, std::size_t>> seen;
    for (CellKind kind : kKinds) {
        for (auto direction : {Direction::reverse, Direction::bidirectional}) {
            const auto config = sequence_config(busy_cell(kind, 9, 67), direction);
            SequenceData data = random_data(config, 5, 6, random);
            data.lengths = {6, 2, 0, 5, 6};
            const RecurrentSequence sequence = make_sequence(config, cpu_features().best(), data);
            SerialTeam one;
            const SequenceOutput serial = run_sequence(sequence, data, one, "serial");
            for (Team* team : {static_cast<Team*>(&two), static_cast<Team*>(&four)}) {
                for (Strategy strategy : kStrategies) {
                    const auto plan = forced_plan(sequence, strategy, 5, 6, team->size());
                    if (!plan) continue;
                    seen.insert({strategy, team->size(), config.cells.size()});
                    const std::string what = std::string(to_string(kind)) + to_string(strategy);
                    expect_same_bits(run_sequence(sequence, data, *team, what, plan), serial, what);
                }
            }
        }
    }
    // All but: directions of one direction, and rows where each direction has its thread.
    EXPECT_EQ(seen.size(), 4u * 2 * 2 - 2 - 1);
}

}  // namespace
}  // namespace rondo::cpu::tests::sequence_bits_test
