#include "plugins/cpu/kernels/choice/strategy.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::strategy_test {
namespace {

CpuFeatures features_of(CpuVendor vendor) {
    CpuFeatures features;
    features.vendor = vendor;
    features.avx2 = features.avx512 = true;
    features.l2_bytes = 1024 * 1024;
    features.l3_bytes = 32 * 1024 * 1024;
    return features;
}

const CpuFeatures kServer = features_of(CpuVendor::intel);

StrategyChoice choose(const CellConfig& cell, const LayerShape& shape) {
    return choose_strategy(cell, CostModel(kServer), shape);
}

struct Row {
    const char* what;
    CellKind kind;
    std::int64_t hidden;
    LayerShape shape;  // directions, T, N, threads
    Strategy expected;
    int slices;
};

TEST(ChooseStrategy, Table) {
    const Row rows[] = {
        {"one thread", CellKind::lstm, 512, {2, 100, 64, 1}, Strategy::serial, 1},
        {"no rows", CellKind::lstm, 512, {1, 100, 0, 8}, Strategy::serial, 1},
        {"no steps", CellKind::lstm, 512, {1, 0, 8, 8}, Strategy::serial, 1},
        {"a streaming step", CellKind::lstm, 128, {1, 1, 1, 8}, Strategy::serial, 1},
        {"small steps", CellKind::lstm, 64, {1, 100, 1, 8}, Strategy::serial, 1},
        {"small gru", CellKind::gru, 64, {1, 100, 1, 4}, Strategy::serial, 1},
        {"both directions, two threads",
         CellKind::lstm,
         128,
         {2, 100, 1, 2},
         Strategy::direction_split,
         2},
        {"rows for all", CellKind::lstm, 128, {1, 100, 16, 4}, Strategy::batch_split, 4},
        {"rows and directions", CellKind::gru, 128, {2, 100, 16, 4}, Strategy::batch_split, 4},
        {"large steps of one row", CellKind::lstm, 512, {1, 100, 1, 2}, Strategy::hidden_split, 2},
        {"weights that fit two caches",
         CellKind::lstm,
         256,
         {1, 100, 1, 2},
         Strategy::hidden_split,
         2},
    };
    for (const Row& row : rows) {
        const StrategyChoice choice =
            choose(default_cell(row.kind, row.hidden, row.hidden), row.shape);
        EXPECT_STREQ(to_string(choice.strategy), to_string(row.expected))
            << row.what << ": " << reason_of(choice, row.shape);
        EXPECT_EQ(choice.slices, row.slices) << row.what;
    }
}

// Threads of AMD's processors meet faster: smaller steps are worth sharing.
TEST(ChooseStrategy, KnowsTheMakeOfTheProcessor) {
    const LayerShape shape{1, 100, 1, 2};
    const CellConfig cell = default_cell(CellKind::gru_linear_before_reset, 64, 64);
    for (const CpuVendor vendor : {CpuVendor::intel, CpuVendor::other}) {
        const CpuFeatures features = features_of(vendor);
        EXPECT_EQ(choose_strategy(cell, CostModel(features), shape).strategy, Strategy::serial);
    }
    const CpuFeatures amd = features_of(CpuVendor::amd);
    EXPECT_EQ(choose_strategy(cell, CostModel(amd), shape).strategy, Strategy::hidden_split);
}

TEST(ChooseStrategy, NeverMoreSlicesThanRowsOrBlocks) {
    for (std::int64_t batch : {1, 2, 3}) {
        const StrategyChoice choice =
            choose(default_cell(CellKind::lstm, 256, 256), {1, 500, batch, 64});
        if (choice.strategy == Strategy::batch_split) {
            EXPECT_LE(choice.slices, batch);
        }
        if (choice.strategy == Strategy::hidden_split) {
            EXPECT_LE(choice.slices, 256 / 16);
        }
    }
}

TEST(ReasonOf, HoldsNumbers) {
    const auto cell = default_cell(CellKind::lstm, 128, 128);
    const auto reason = [&](const LayerShape& shape) {
        return reason_of(choose(cell, shape), shape);
    };
    EXPECT_EQ(reason({1, 10, 1, 1}), "one thread");
    EXPECT_NE(reason({1, 1, 1, 8}).find("us on one thread"), std::string::npos);
    EXPECT_NE(reason({2, 100, 1, 2}).find("in 2 slices"), std::string::npos);
}

TEST(Estimate, WhatIsChosenIsTheEstimateOfItsStrategy) {
    for (const LayerShape& shape : {LayerShape{2, 100, 1, 2}, LayerShape{1, 100, 16, 4},
                                    LayerShape{1, 100, 1, 2}, LayerShape{1, 1, 1, 2}}) {
        const auto cell = default_cell(CellKind::lstm, 512, 512);
        const StrategyChoice chosen = choose(cell, shape);
        const auto same = estimate(chosen.strategy, cell, CostModel(kServer), shape);
        ASSERT_TRUE(same) << to_string(chosen.strategy);
        EXPECT_EQ(same->slices, chosen.slices);
        EXPECT_EQ(same->row_slices, chosen.row_slices);
        EXPECT_EQ(same->microseconds, chosen.microseconds);
    }
}

// A step of 0.2 us is never worth a split; the estimate says so.
TEST(Estimate, AlsoWhatDoesNotPay) {
    const auto cell = default_cell(CellKind::rnn, 64, 64);
    const LayerShape shape{2, 1, 2, 4};
    EXPECT_EQ(choose(cell, shape).strategy, Strategy::serial);
    for (Strategy strategy : kStrategies) {
        const auto choice = estimate(strategy, cell, CostModel(kServer), shape);
        ASSERT_TRUE(choice) << to_string(strategy);
        EXPECT_EQ(choice->strategy, strategy);
        if (strategy == Strategy::serial) continue;
        EXPECT_GT(choice->slices, 1) << to_string(strategy);
        EXPECT_GT(choice->microseconds, choice->serial_microseconds) << to_string(strategy);
    }
}

TEST(Estimate, NothingWhereTheShapeHasNoSlices) {
    struct {
        Strategy strategy;
        std::int64_t hidden;
        LayerShape shape;
    } const rows[] = {
        {Strategy::direction_split, 64, {1, 100, 4, 2}},
        {Strategy::batch_split, 64, {1, 100, 1, 2}},
        {Strategy::batch_split, 64, {2, 100, 4, 2}},
        {Strategy::hidden_split, 32, {1, 100, 4, 2}},
        {Strategy::direction_split, 64, {2, 100, 4, 1}},
        {Strategy::hidden_split, 64, {1, 100, 0, 2}},
    };
    for (const auto& row : rows) {
        const auto cell = default_cell(CellKind::lstm, row.hidden, row.hidden);
        EXPECT_FALSE(estimate(row.strategy, cell, CostModel(kServer), row.shape))
            << to_string(row.strategy);
    }
    const auto cell = default_cell(CellKind::lstm, 64, 64);
    EXPECT_TRUE(estimate(Strategy::serial, cell, CostModel(kServer), {1, 1, 0, 1}));
}

// A team that sleeps keeps more work on one thread, never less.
TEST(ChooseStrategy, ASleepingTeamCostsMore) {
    const auto cell = default_cell(CellKind::lstm, 128, 128);
    for (const std::int64_t time : {1, 5, 20, 100, 1000}) {
        LayerShape shape{2, time, 4, 2};
        const StrategyChoice awake = choose(cell, shape);
        shape.awake = false;
        const StrategyChoice asleep = choose(cell, shape);
        if (awake.strategy == Strategy::serial) {
            EXPECT_EQ(asleep.strategy, Strategy::serial);
        }
        EXPECT_GE(asleep.microseconds, awake.microseconds);
    }
}

}  // namespace
}  // namespace rondo::cpu::strategy_test
