#include "plugins/cpu/kernels/sequence/task_plan.hpp"

#include <gtest/gtest.h>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

namespace rondo::cpu::tests::task_plan_test {
namespace {

constexpr std::int64_t kL2Bytes = 1 << 20;

CpuFeatures with_l3(std::int64_t bytes) {
    CpuFeatures features;
    features.l2_bytes = kL2Bytes;
    features.l3_bytes = bytes;
    return features;
}

struct Layer {
    explicit Layer(const SequenceConfig& config, Isa isa = cpu_features().best())
        : gemm(shared_gemm_kernel(isa, config.input_weights)),
          layer(make_sequence_layer(config, 0, isa, *gemm)) {}

    TaskPlan plan(std::int64_t rows, std::int64_t time, std::int64_t l3 = 0) const {
        return plan_task(layer, {rows, rows, time}, with_l3(l3));
    }
    TaskMode mode(std::int64_t rows, std::int64_t time, std::int64_t l3 = 0) const {
        return plan(rows, time, l3).mode;
    }

    std::shared_ptr<const GemmKernel> gemm;
    SequenceLayer layer;
};

SequenceConfig layer_of(CellKind kind, std::int64_t input = 24) {
    return sequence_config(default_cell(kind, input, 40), Direction::forward);
}

TEST(PlanTask, SingleStepsOfFewRowsFuseTheirInput) {
    if (!cpu_features().avx2) GTEST_SKIP() << "only generated kernels do";
    for (Isa isa : available_isas()) {
        const bool generated = isa != Isa::plain;
        for (CellKind kind :
             {CellKind::lstm, CellKind::gru, CellKind::gru_linear_before_reset, CellKind::rnn}) {
            const Layer layer(layer_of(kind), isa);
            for (std::int64_t rows = 1; rows <= kMaxFusedRows; ++rows) {
                EXPECT_EQ(layer.mode(rows, 1) == TaskMode::fused_input, generated)
                    << layer.layer.kernel_name;
            }
            EXPECT_NE(layer.mode(kMaxFusedRows + 1, 1), TaskMode::fused_input);
            EXPECT_NE(layer.mode(1, 2), TaskMode::fused_input);
        }
    }
}

TEST(PlanTask, WhatCantFuseItsInput) {
    EXPECT_NE(Layer(layer_of(CellKind::lstm, 0)).mode(1, 1), TaskMode::fused_input) << "no inputs";
    SequenceConfig mixed = layer_of(CellKind::lstm);
    mixed.input_weights = ElementType::f16;
    EXPECT_NE(Layer(mixed).mode(1, 1), TaskMode::fused_input) << "W and R of two types";
    // Panels of W so far apart that code can't name their distance.
    EXPECT_NE(Layer(layer_of(CellKind::lstm, 1 << 20)).mode(1, 1), TaskMode::fused_input);
}

TEST(PlanTask, TilesFitAPartOfTheCache) {
    const Layer layer(layer_of(CellKind::lstm));
    const std::int64_t step_bytes = 5 * layer.layer.cell->shape().projected * 4;
    EXPECT_EQ(layer.plan(5, 3).tile, 3);
    EXPECT_EQ(layer.plan(5, 100'000).tile, kL2Bytes / 4 / step_bytes);
    EXPECT_EQ(layer.plan(5, 0).tile, 1);
    EXPECT_EQ(layer.plan(100'000, 9).tile, 1);
}

// W is read less often where it would evict R from the L3.
TEST(PlanTask, WeightsThatOutgrowTheL3) {
    const Layer layer(layer_of(CellKind::lstm));
    const auto bytes = static_cast<std::int64_t>(packed_layer_bytes(layer.layer));
    const std::int64_t step_bytes = layer.layer.cell->shape().projected * 4;
    const bool looks = can_look_ahead(layer.layer);
    EXPECT_EQ(layer.mode(1, 100, 2 * bytes) == TaskMode::look_ahead, looks);
    EXPECT_EQ(layer.mode(1, 100, 2 * bytes - 1), TaskMode::tiled);
    EXPECT_EQ(layer.plan(7, 100'000, 64 * bytes).tile, kL2Bytes / 4 / (7 * step_bytes));
    const Layer large(sequence_config(default_cell(CellKind::lstm, 300, 300), Direction::forward));
    const std::int64_t l3 = 4 * kL2Bytes;  // the weights hold 2.75 MiB
    const std::int64_t large_step = large.layer.cell->shape().projected * 4;
    EXPECT_EQ(large.plan(7, 100'000, l3).tile, l3 / 4 / (7 * large_step));
}

// W would be read from the L3 all the time.
TEST(PlanTask, WeightsThatOutgrowTheL2TwiceAreReadByTiles) {
    for (const std::int64_t hidden : {64, 512}) {
        const Layer layer(
            sequence_config(default_cell(CellKind::lstm, hidden, hidden), Direction::forward));
        const auto bytes = static_cast<std::int64_t>(packed_layer_bytes(layer.layer));
        const bool looks = can_look_ahead(layer.layer) && bytes <= 2 * kL2Bytes;
        EXPECT_EQ(layer.mode(1, 100, 100 * bytes) == TaskMode::look_ahead, looks) << hidden;
        EXPECT_EQ(bytes <= 2 * kL2Bytes, hidden == 64);
    }
}

// A caller of several tasks gives them tiles of the same size.
TEST(PlanTask, LimitsHold) {
    const Layer layer(layer_of(CellKind::lstm));
    EXPECT_EQ(plan_task(layer.layer, {1, 1, 100}, with_l3(0), {false, 7}).mode, TaskMode::tiled);
    EXPECT_EQ(plan_task(layer.layer, {1, 1, 100}, with_l3(0), {false, 7}).tile, 7);
    EXPECT_EQ(plan_task(layer.layer, {1, 1, 5}, with_l3(0), {false, 7}).tile, 5);
}

// Pieces of scratch memory begin on cache lines, in order, within the plan's bytes.
TEST(PlanTask, ScratchIsLaidOutInOrder) {
    for (const std::int64_t rows : {1, 3, 64}) {
        for (const std::int64_t time : {1, 2, 50}) {
            const TaskPlan plan = Layer(layer_of(CellKind::gru)).plan(rows, time, 1 << 30);
            const TaskLayout& at = plan.layout;
            const std::size_t offsets[] = {at.h[0],         at.h[1],      at.c,      at.update_gate,
                                           at.reset_hidden, at.projected, at.x_rows, at.y_rows,
                                           at.tile_rows,    at.order,     at.lengths};
            for (std::size_t i = 0; i < std::size(offsets); ++i) {
                EXPECT_EQ(offsets[i] % 64, 0u);
                if (i > 0) {
                    EXPECT_GT(offsets[i], offsets[i - 1]);
                }
                EXPECT_LT(offsets[i], plan.bytes);
            }
            EXPECT_EQ(plan.bytes % 64, 0u);
            EXPECT_EQ(at.look_ahead != 0, plan.mode == TaskMode::look_ahead);
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::task_plan_test
