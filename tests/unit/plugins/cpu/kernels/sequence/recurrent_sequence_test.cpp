#include "plugins/cpu/kernels/sequence/recurrent_sequence.hpp"

#include <gtest/gtest.h>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"
#include "tests/unit/plugins/cpu/kernels/typed_buffer.hpp"

namespace rondo::cpu::tests::recurrent_sequence_test {
namespace {

constexpr double kTolerance = 2e-6;
constexpr double kDoubleTolerance = 1e-14;
constexpr Direction kDirections[] = {Direction::forward, Direction::reverse,
                                     Direction::bidirectional};

// A cell with the defaults of its operator.
CellConfig cell_of(const CellKernelEntry& entry, std::int64_t input, std::int64_t hidden) {
    CellConfig cell = default_cell(entry.kind, input, hidden);
    cell.weights = entry.weights;
    return cell;
}

int lanes_of(const CellKernelEntry& entry) {
    return cpu::lanes_of(entry.isa, entry.weights.precision());
}

std::vector<const CellKernelEntry*> runnable_entries() {
    std::vector<const CellKernelEntry*> entries;
    for (const CellKernelEntry& entry : cell_kernels()) {
        if (entry.isa <= cpu_features().best()) entries.push_back(&entry);
    }
    return entries;
}

void compare_with_reference(const CellKernelEntry& entry, const SequenceConfig& config,
                            const SequenceData& data, const std::string& what) {
    const RecurrentSequence sequence = make_sequence(config, entry.isa, data);
    ASSERT_STREQ(sequence.kernel_name(), entry.name);
    SerialTeam team;
    const SequenceOutput got = run_sequence(sequence, data, team, what);
    const SequenceResult expected = reference_sequence(config, data);
    const double tolerance = config.data == ElementType::f64 ? kDoubleTolerance : kTolerance;
    expect_near(got.y, expected.y, tolerance, what + " Y");
    expect_near(got.ho, expected.ho, tolerance, what + " Ho");
    if (!got.co.empty()) expect_near(got.co, expected.co, tolerance, what + " Co");
}

// A cell whose gates are the identity: saturation can't hide a mistake in gate order.
CellConfig linear_cell(const CellKernelEntry& entry, std::int64_t input, std::int64_t hidden) {
    CellConfig cell = cell_of(entry, input, hidden);
    cell.f = cell.g = cell.h = default_activation(ActivationKind::affine);
    return cell;
}

class EveryEntry : public testing::TestWithParam<const CellKernelEntry*> {
protected:
    const CellKernelEntry& entry() const { return *GetParam(); }
    std::vector<std::int64_t> hidden_sizes() const {
        const int lanes = lanes_of(entry());
        return {1, lanes - 1, lanes, lanes + 1, 3 * lanes + 5};
    }
    Random random;
};

TEST_P(EveryEntry, LinearActivationsOneStep) {
    for (std::int64_t hidden : hidden_sizes()) {
        const auto config = sequence_config(linear_cell(entry(), 3, hidden), Direction::forward);
        const SequenceData data = random_data(config, 2, 1, random);
        compare_with_reference(entry(), config, data, "H " + std::to_string(hidden));
    }
}

TEST_P(EveryEntry, AllSizesAndDirections) {
    for (std::int64_t hidden : hidden_sizes()) {
        for (Direction direction : kDirections) {
            const auto config = sequence_config(cell_of(entry(), 5, hidden), direction);
            for (std::int64_t batch : {1, 2, 5}) {
                for (std::int64_t time : {1, 2, 7}) {
                    const SequenceData data = random_data(config, batch, time, random);
                    compare_with_reference(entry(), config, data,
                                           "H " + std::to_string(hidden) + " N " +
                                               std::to_string(batch) + " T " +
                                               std::to_string(time));
                }
            }
        }
    }
}

TEST_P(EveryEntry, LengthsInEveryDirection) {
    const std::vector<std::vector<std::int64_t>> all_lengths = {
        {7, 7, 7, 7, 7}, {0, 0, 0, 0, 0}, {3, 0, 7, 1, 3}, {1, 2, 3, 4, 5}};
    for (Direction direction : kDirections) {
        const auto config = sequence_config(cell_of(entry(), 4, lanes_of(entry()) + 3), direction);
        SequenceData data = random_data(config, 5, 7, random);
        for (const auto& lengths : all_lengths) {
            data.lengths = lengths;
            compare_with_reference(entry(), config, data, "lengths");
        }
    }
}

TEST_P(EveryEntry, ManyRowsAndAllTileShapes) {
    const int lanes = lanes_of(entry());
    const auto config = sequence_config(cell_of(entry(), 2, 15 * lanes - 1), Direction::forward);
    for (std::int64_t batch = 1; batch <= 17; ++batch) {
        const SequenceData data = random_data(config, batch, 2, random);
        compare_with_reference(entry(), config, data, "N " + std::to_string(batch));
    }
}

TEST_P(EveryEntry, EveryActivationInEveryPlace) {
    for (const ops::ActivationInfo& info : ops::kActivations) {
        const ActivationKind kind = info.kind;
        CellConfig cell = cell_of(entry(), 3, lanes_of(entry()) + 1);
        Activation chosen = default_activation(kind);
        if (info.takes_alpha) chosen.alpha = 0.3f;
        if (info.takes_beta) chosen.beta = 0.4f;
        for (Activation CellConfig::*place : {&CellConfig::f, &CellConfig::g, &CellConfig::h}) {
            CellConfig changed = cell;
            changed.*place = chosen;
            const auto config = sequence_config(changed, Direction::forward);
            const SequenceData data = random_data(config, 2, 3, random);
            compare_with_reference(entry(), config, data, std::string(info.name));
        }
    }
}

TEST_P(EveryEntry, ClipBoundsPreActivations) {
    CellConfig cell = cell_of(entry(), 3, lanes_of(entry()) + 1);
    cell.clip = 0.1f;
    for (Direction direction : kDirections) {
        const auto config = sequence_config(cell, direction);
        const SequenceData data = random_data(config, 3, 4, random);
        compare_with_reference(entry(), config, data, "clip");
    }
}

TEST_P(EveryEntry, DirectionsWithDifferentActivations) {
    auto config = sequence_config(cell_of(entry(), 3, 9), Direction::bidirectional);
    config.cells[1].f = default_activation(ActivationKind::hard_sigmoid);
    config.cells[1].g = default_activation(ActivationKind::softsign);
    const SequenceData data = random_data(config, 2, 4, random);
    compare_with_reference(entry(), config, data, "different activations");
}

TEST_P(EveryEntry, BiasAndStatesMayBeAbsent) {
    const auto config = sequence_config(cell_of(entry(), 3, 9), Direction::bidirectional);
    SequenceData data = random_data(config, 2, 4, random);
    data.b.clear();
    data.h0.clear();
    data.c0.clear();
    compare_with_reference(entry(), config, data, "absent inputs");
}

TEST_P(EveryEntry, SaturatedAndInfiniteInputs) {
    const auto config = sequence_config(cell_of(entry(), 2, 9), Direction::forward);
    SequenceData data = random_data(config, 1, 3, random);
    for (double& x : data.x) x = rounded(x * 1e30, config.data);
    compare_with_reference(entry(), config, data, "huge inputs");
    // NaN in one row stays in that row.
    data = random_data(config, 2, 2, random);
    data.x[0] = std::numeric_limits<double>::quiet_NaN();
    const RecurrentSequence sequence = make_sequence(config, entry().isa, data);
    SerialTeam team;
    const SequenceOutput got = run_sequence(sequence, data, team, "NaN");
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_TRUE(std::isnan(got.ho[i]));
        EXPECT_FALSE(std::isnan(got.ho[9 + i]));
    }
}

// One step where gates are the identity: such a cell grows fast.
void compare_lstm_flags(const CellKernelEntry& entry, int flags, Random& random) {
    const bool linear = (flags & 4) != 0;
    const std::int64_t hidden = lanes_of(entry) + 2;
    CellConfig cell = linear ? linear_cell(entry, 3, hidden) : cell_of(entry, 3, hidden);
    cell.peephole = (flags & 1) != 0;
    cell.input_forget = (flags & 2) != 0;
    const auto config = sequence_config(cell, Direction::bidirectional);
    const SequenceData data = random_data(config, 3, linear ? 1 : 4, random);
    compare_with_reference(entry, config, data, "flags " + std::to_string(flags));
}

TEST(LstmEntries, PeepholeAndInputForget) {
    Random random;
    for (const CellKernelEntry* entry : runnable_entries()) {
        if (entry->kind != CellKind::lstm) continue;
        for (int flags = 1; flags < 8; ++flags) compare_lstm_flags(*entry, flags, random);
    }
}

INSTANTIATE_TEST_SUITE_P(CellKernels, EveryEntry, testing::ValuesIn(runnable_entries()),
                         [](const testing::TestParamInfo<const CellKernelEntry*>& info) {
                             return info.param->name;
                         });

TEST(RecurrentSequence, EmptyBatchAndEmptySequence) {
    Random random;
    const auto config =
        sequence_config(default_cell(CellKind::lstm, 3, 5), Direction::bidirectional);
    SerialTeam team;
    SequenceData data = random_data(config, 0, 4, random);
    const RecurrentSequence sequence =
        make_sequence(config, cpu_features().best(), random_data(config, 1, 1, random));
    EXPECT_TRUE(run_sequence(sequence, data, team, "N = 0").y.empty());
    // T = 0 without lengths: the states pass through.
    data = random_data(config, 2, 0, random);
    const SequenceOutput got = run_sequence(sequence, data, team, "T = 0");
    EXPECT_TRUE(got.y.empty());
    expect_same_bits(got.ho, data.h0, "Ho");
    expect_same_bits(got.co, data.c0, "Co");
    // With lengths, all of them 0: zeros.
    data.lengths = {0, 0};
    expect_same_bits(run_sequence(sequence, data, team, "T = 0").ho, std::vector<double>(20), "Ho");
}

TEST(RecurrentSequence, OutputsMayBeLeftOut) {
    Random random;
    const auto config =
        sequence_config(default_cell(CellKind::lstm, 3, 5), Direction::bidirectional);
    const SequenceData data = random_data(config, 2, 3, random);
    SerialTeam team;
    const RecurrentSequence sequence = make_sequence(config, cpu_features().best(), data);
    const SequenceOutput all = run_sequence(sequence, data, team, "all");
    const std::vector<float> x = floats(data.x), h0 = floats(data.h0), c0 = floats(data.c0);
    SequenceArgs args = dense_args(config, 2, 3);
    args.x = x.data();
    args.h0 = h0.data();
    args.c0 = c0.data();
    const SequencePlan plan = sequence.prepare(2, 3, 1);
    AlignedBuffer scratch(plan.scratch_bytes / sizeof(float));
    sequence.run(plan, args, team, scratch.data());
    std::vector<float> ho(20);
    args.ho = ho.data();
    sequence.run(plan, args, team, scratch.data());
    expect_same_bits(ho, all.ho, "Ho alone");
}

TEST(RecurrentSequence, TimeMajorTensorsInPlace) {
    Random random;
    const std::int64_t batch = 3, time = 4, input = 5, hidden = 9;
    const auto config =
        sequence_config(default_cell(CellKind::gru, input, hidden), Direction::bidirectional);
    const SequenceData data = random_data(config, batch, time, random);
    SerialTeam team;
    const RecurrentSequence sequence = make_sequence(config, cpu_features().best(), data);
    const SequenceOutput expected = run_sequence(sequence, data, team, "batch first");
    std::vector<float> x(data.x.size()), y(expected.y.size());
    for (std::int64_t n = 0; n < batch; ++n) {
        for (std::int64_t t = 0; t < time; ++t) {
            std::copy_n(data.x.begin() + (n * time + t) * input, input,
                        x.begin() + (t * batch + n) * input);
        }
    }
    // X: [T,N,I], Y: [T,D,N,H].
    SequenceArgs args = dense_args(config, batch, time);
    args.x = x.data();
    args.x_batch_stride = input;
    args.x_time_stride = batch * input;
    const std::vector<float> h0 = floats(data.h0);
    args.h0 = h0.data();
    args.y = y.data();
    args.y_batch_stride = hidden;
    args.y_direction_stride = batch * hidden;
    args.y_time_stride = 2 * batch * hidden;
    const SequencePlan plan = sequence.prepare(batch, time, 1);
    AlignedBuffer scratch(plan.scratch_bytes / sizeof(float));
    sequence.run(plan, args, team, scratch.data());
    for (std::int64_t n = 0; n < batch; ++n) {
        for (std::int64_t d = 0; d < 2; ++d) {
            for (std::int64_t t = 0; t < time; ++t) {
                for (std::int64_t j = 0; j < hidden; ++j) {
                    const std::int64_t from = ((t * 2 + d) * batch + n) * hidden + j;
                    const std::int64_t to = ((n * 2 + d) * time + t) * hidden + j;
                    ASSERT_EQ(y[static_cast<std::size_t>(from)],
                              expected.y[static_cast<std::size_t>(to)]);
                }
            }
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::recurrent_sequence_test
