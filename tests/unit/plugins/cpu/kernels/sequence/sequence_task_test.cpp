#include "plugins/cpu/kernels/sequence/sequence_task.hpp"

#include <gtest/gtest.h>

#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

namespace rondo::cpu::test {
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

    TaskSize size(std::int64_t rows, std::int64_t time, std::int64_t l3 = 0) const {
        return task_size(layer, {rows, rows, time}, with_l3(l3));
    }

    std::shared_ptr<const GemmKernel> gemm;
    SequenceLayer layer;
};

SequenceConfig layer_of(CellKind kind, std::int64_t input = 24) {
    return sequence_config(default_cell(kind, input, 40), SequenceDirection::forward);
}

TEST(TaskSize, SingleStepsOfFewRowsAreJoint) {
    if (!cpu_features().avx2) GTEST_SKIP() << "generated kernels alone join";
    for (Isa isa : available_isas()) {
        const bool generated = isa != Isa::plain;
        for (CellKind kind :
             {CellKind::lstm, CellKind::gru, CellKind::gru_linear_before_reset, CellKind::rnn}) {
            const Layer layer(layer_of(kind), isa);
            for (std::int64_t rows = 1; rows <= kMaxFusedRows; ++rows) {
                EXPECT_EQ(layer.size(rows, 1).joint, generated) << layer.layer.kernel_name;
            }
            EXPECT_FALSE(layer.size(kMaxFusedRows + 1, 1).joint);
            EXPECT_FALSE(layer.size(1, 2).joint);
            EXPECT_FALSE(layer.size(1, 1).rolling && generated);
        }
    }
}

TEST(TaskSize, WhatCantBeJoint) {
    EXPECT_FALSE(Layer(layer_of(CellKind::lstm, 0)).size(1, 1).joint) << "no inputs";
    SequenceConfig mixed = layer_of(CellKind::lstm);
    mixed.input_weights = ElementType::f16;
    EXPECT_FALSE(Layer(mixed).size(1, 1).joint) << "W and R of two types";
    // Panels of W so far apart that code can't name their distance.
    EXPECT_FALSE(Layer(layer_of(CellKind::lstm, 1 << 20)).size(1, 1).joint);
}

TEST(TaskSize, TilesFitAPartOfTheCache) {
    const Layer layer(layer_of(CellKind::lstm));
    const std::int64_t step_bytes = 5 * layer.layer.cell->shape().projected * 4;
    EXPECT_EQ(layer.size(5, 3).tile, 3);
    EXPECT_EQ(layer.size(5, 100'000).tile, kL2Bytes / 4 / step_bytes);
    EXPECT_EQ(layer.size(5, 0).tile, 1);
    EXPECT_EQ(layer.size(100'000, 9).tile, 1);
}

// W is read seldom where it would drive R out of the L3.
TEST(TaskSize, WeightsThatOutgrowTheL3) {
    const Layer layer(layer_of(CellKind::lstm));
    const auto bytes = static_cast<std::int64_t>(packed_layer_bytes(layer.layer));
    const std::int64_t step_bytes = layer.layer.cell->shape().projected * 4;
    const bool rolls = can_look_ahead(layer.layer);
    EXPECT_EQ(layer.size(1, 100, 2 * bytes).rolling, rolls);
    EXPECT_FALSE(layer.size(1, 100, 2 * bytes - 1).rolling);
    EXPECT_EQ(layer.size(7, 100'000, 64 * bytes).tile, kL2Bytes / 4 / (7 * step_bytes));
    const Layer large(
        sequence_config(default_cell(CellKind::lstm, 300, 300), SequenceDirection::forward));
    const std::int64_t l3 = 4 * kL2Bytes;  // the weights hold 2.75 MiB
    const std::int64_t large_step = large.layer.cell->shape().projected * 4;
    EXPECT_EQ(large.size(7, 100'000, l3).tile, l3 / 4 / (7 * large_step));
}

// Steps of no rows do nothing.
TEST(JitCell, NoRows) {
    for (Isa isa : available_isas()) {
        const Layer layer(layer_of(CellKind::gru), isa);
        CellStepArgs args;
        args.block_end = layer.layer.cell->shape().blocks;
        const PackedCell weights;
        args.weights = &weights;
        layer.layer.cell->run(0, args);
        layer.layer.cell->run(1, args);
    }
}

}  // namespace
}  // namespace rondo::cpu::test
