// Layers of block-sparse weights: a row skips blocks of zeros, and nothing changes.
#include <gtest/gtest.h>

#include <limits>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/sequence/sequence_layer.hpp"
#include "tests/support/forced_plan.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"

namespace rondo::cpu::tests::sparse_layers_test {
namespace {

const WeightFormat kSparseFormats[] = {ElementType::f32, kW8R8, kW8R16};

/// Zeros, of either sign, in blocks of 8 rows of a gate and 4 columns, all but about one of
/// `one_of`.
void make_sparse(std::vector<double>& weights, std::int64_t hidden, std::int64_t columns,
                 int one_of, Random& random) {
    const auto rows =
        static_cast<std::int64_t>(weights.size()) / std::max<std::int64_t>(columns, 1);
    for (std::int64_t gate = 0; gate < rows; gate += hidden) {
        for (std::int64_t unit = 0; unit < hidden; unit += kSparseColumns) {
            for (std::int64_t k = 0; k < columns; k += kSparseDepth) {
                if (random.integer(0, one_of - 1) == 0) continue;
                for (std::int64_t i = unit; i < std::min(hidden, unit + kSparseColumns); ++i) {
                    const std::int64_t first = (gate + i) * columns;
                    const std::int64_t last = std::min(columns, k + kSparseDepth);
                    for (std::int64_t at = first + k; at < first + last; ++at) {
                        weights[static_cast<std::size_t>(at)] *= 0.0;
                    }
                }
            }
        }
    }
}

SequenceConfig config_of(const WeightFormat& format, CellKind kind, std::int64_t input,
                         std::int64_t hidden) {
    CellConfig cell = busy_cell(kind, input, hidden);
    cell.weights = format;
    return sequence_config(cell, Direction::bidirectional);
}

SequenceData sparse_data(const SequenceConfig& config, std::int64_t batch, std::int64_t time,
                         int one_of, Random& random) {
    SequenceData data = random_data(config, batch, time, random);
    const CellConfig& cell = config.cells[0];
    make_sparse(data.w, cell.hidden_size, cell.input_size, one_of, random);
    make_sparse(data.r, cell.hidden_size, cell.hidden_size, one_of, random);
    return data;
}

TEST(SparseLayers, GiveTheBitsOfDenseKernels) {
    Random random;
    SerialTeam serial;
    ThreadTeam pair(2);
    for (const WeightFormat& format : kSparseFormats) {
        for (const CellKind kind : kKinds) {
            for (const std::int64_t hidden : {4, 24, 40, 68, 128}) {
                for (const std::int64_t input : {0, 11, 36}) {
                    const auto config = config_of(format, kind, input, hidden);
                    for (const auto& [batch, time] : {std::pair(1, 1), {1, 19}, {2, 5}, {3, 2}}) {
                        const int one_of = batch == 1 ? 6 : 20;
                        const auto data = sparse_data(config, batch, time, one_of, random);
                        const auto plain = run_sequence(make_sequence(config, Isa::plain, data),
                                                        data, serial, "plain");
                        for (const Isa isa : available_isas()) {
                            const auto sequence = make_sequence(config, isa, data);
                            const std::string what =
                                std::string(sequence.kernel_name()) +
                                " I=" + std::to_string(input) + " H=" + std::to_string(hidden) +
                                " N=" + std::to_string(batch) + " T=" + std::to_string(time);
                            expect_same_bits(run_sequence(sequence, data, serial, what), plain,
                                             what);
                            for (const Strategy strategy : kStrategies) {
                                const auto plan = forced_plan(sequence, strategy, batch, time, 2);
                                if (!plan) continue;
                                expect_same_bits(run_sequence(sequence, data, pair, what, plan),
                                                 plain, what + to_string(strategy));
                            }
                        }
                    }
                }
            }
        }
    }
}

// Zero times infinity is NaN, also where the zero is skipped.
TEST(SparseLayers, InfinitiesReachEveryUnit) {
    Random random;
    SerialTeam team;
    for (const double value :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        for (const CellKind kind : kKinds) {
            const auto config = config_of(ElementType::f32, kind, 32, 64);
            SequenceData data = sparse_data(config, 1, 3, 5, random);
            data.x[40] = value;
            data.h0[3] = value;
            const auto plain =
                run_sequence(make_sequence(config, Isa::plain, data), data, team, "plain");
            for (const Isa isa : available_isas()) {
                const auto got = run_sequence(make_sequence(config, isa, data), data, team, "run");
                for (std::size_t i = 0; i < got.y.size(); ++i) {
                    ASSERT_EQ(std::isnan(got.y[i]), std::isnan(plain.y[i])) << name_of(isa) << i;
                }
            }
        }
    }
}

/// What is found in R of such a layer.
std::optional<SparsePanels> found(Isa isa, const WeightFormat& format, std::int64_t hidden,
                                  int one_of) {
    Random random;
    CellConfig cell = default_cell(CellKind::gru_linear_before_reset, 8, hidden);
    cell.weights = format;
    const auto config = sequence_config(cell, Direction::forward);
    const SequenceData data = sparse_data(config, 1, 1, one_of, random);
    const std::vector<float> r = floats(data.r);
    const CellKernelEntry& entry = choose_cell_kernel(cell, isa);
    const auto kernel = entry.make(cell);
    AlignedBytes memory(packed_cell_bytes(cell, kernel->shape()));
    pack_cell(cell, kernel->shape(), {r.data(), nullptr, nullptr, nullptr, ElementType::f32},
              memory.data(), {0, kernel->shape().blocks});
    const PackedCell packed = packed_cell_at(cell, kernel->shape(), memory.data());
    return SparsePanels::find(isa, format, dense_panels(cell, kernel->shape(), packed, false),
                              shared_sparse_kernel);
}

TEST(SparseLayers, AreFoundWhereTheyPay) {
    for (const Isa isa : available_isas()) {
        constexpr std::int64_t kFar = 1024;  // units whose weights outgrow every L2
        const auto third = found(isa, ElementType::f32, kFar, 3);
        const auto tenth = found(isa, ElementType::f32, 96, 10);
        if (isa == Isa::plain) {
            EXPECT_FALSE(third);
            continue;
        }
        ASSERT_TRUE(third.has_value()) << name_of(isa);
        ASSERT_TRUE(tenth.has_value()) << name_of(isa);
        EXPECT_NEAR(third->density(), 1.0 / 3, 0.05);
        EXPECT_NEAR(tenth->density(), 1.0 / 10, 0.03);
        EXPECT_TRUE(third->pays(1) && !third->pays(2));
        EXPECT_TRUE(tenth->pays(2) && !tenth->pays(64));
        EXPECT_FALSE(found(isa, ElementType::f32, 96, 3)) << "from near, whole vectors are as fast";
        EXPECT_FALSE(found(isa, ElementType::f32, kFar, 1)) << "no zeros";
        EXPECT_FALSE(found(isa, ElementType::f32, 98, 3)) << "rows of no whole blocks";
        EXPECT_FALSE(found(isa, ElementType::f64, 96, 3));
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::sparse_layers_test
