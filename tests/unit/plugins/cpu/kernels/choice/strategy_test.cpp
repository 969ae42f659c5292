#include "plugins/cpu/kernels/choice/strategy.hpp"

#include <gtest/gtest.h>

#include "plugins/cpu/kernels/choice/strategy_plan.hpp"

namespace rondo::cpu {
namespace {

CpuFeatures server() {
    CpuFeatures features;
    features.avx2 = features.avx512 = true;
    features.l2_bytes = 1024 * 1024;
    features.l3_bytes = 32 * 1024 * 1024;
    return features;
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
            choose_strategy(default_cell(row.kind, row.hidden, row.hidden), server(), row.shape);
        EXPECT_STREQ(name_of(choice.strategy), name_of(row.expected))
            << row.what << ": " << choice.reason;
        EXPECT_EQ(choice.slices, row.slices) << row.what;
        EXPECT_FALSE(choice.reason.empty()) << row.what;
    }
}

// Threads of AMD's processors meet faster: smaller steps are worth sharing.
TEST(ChooseStrategy, KnowsTheMakeOfTheProcessor) {
    CpuFeatures features = server();
    const LayerShape shape{1, 100, 1, 2};
    const CellConfig cell = default_cell(CellKind::gru_linear_before_reset, 64, 64);
    for (const CpuVendor vendor : {CpuVendor::intel, CpuVendor::other}) {
        features.vendor = vendor;
        EXPECT_EQ(choose_strategy(cell, features, shape).strategy, Strategy::serial);
    }
    features.vendor = CpuVendor::amd;
    EXPECT_EQ(choose_strategy(cell, features, shape).strategy, Strategy::hidden_split);
}

double one_row(const CellConfig& cell, std::int64_t time) {
    return step_microseconds(cell, server(), {1, time, cell.hidden_size, 1});
}

// Weight bytes decide where one row streams them: the smaller they are, the shorter a step.
TEST(StepMicroseconds, CountsTheBytesOfTheWeights) {
    CellConfig cell = default_cell(CellKind::lstm, 512, 512);
    const double f32 = one_row(cell, 100);
    cell.weights = ElementType::bf16;
    EXPECT_LT(one_row(cell, 100), 0.7 * f32);
    CellConfig small = default_cell(CellKind::lstm, 64, 64);
    const double fast = one_row(small, 100);
    small.weights = ElementType::f16;
    EXPECT_DOUBLE_EQ(one_row(small, 100), fast);  // bound by the widening
    cell.weights = ElementType::f64;
    EXPECT_GT(one_row(cell, 100), 1.5 * f32);
}

// A single step reads W for itself, and finds less of the weights in the caches.
TEST(StepMicroseconds, TheOnlyStepReadsWAndR) {
    const CellConfig cell = default_cell(CellKind::lstm, 192, 192);
    EXPECT_GT(one_row(cell, 1), 1.5 * one_row(cell, 100));
    const StepLoad both{1, 1, 192, 2};
    EXPECT_GT(step_microseconds(cell, server(), both), one_row(cell, 1));
}

TEST(StepMicroseconds, AShareThatFitsTheCacheIsWorthMoreThanItsSize) {
    const CellConfig cell = default_cell(CellKind::lstm, 384, 384);
    const double half = step_microseconds(cell, server(), {1, 100, 192, 1});
    EXPECT_LT(half, 0.4 * one_row(cell, 100));
}

TEST(ChooseStrategy, NeverMoreSlicesThanRowsOrBlocks) {
    for (std::int64_t batch : {1, 2, 3}) {
        const StrategyChoice choice =
            choose_strategy(default_cell(CellKind::lstm, 256, 256), server(), {1, 500, batch, 64});
        if (choice.strategy == Strategy::batch_split) {
            EXPECT_LE(choice.slices, batch);
        }
        if (choice.strategy == Strategy::hidden_split) {
            EXPECT_LE(choice.slices, 256 / 16);
        }
    }
}

TEST(ChooseStrategy, ReasonsHoldNumbers) {
    const auto cell = default_cell(CellKind::lstm, 128, 128);
    EXPECT_EQ(choose_strategy(cell, server(), {1, 10, 1, 1}).reason, "one thread");
    EXPECT_NE(choose_strategy(cell, server(), {1, 1, 1, 8}).reason.find("us on one thread"),
              std::string::npos);
    EXPECT_NE(choose_strategy(cell, server(), {2, 100, 1, 2}).reason.find("in 2 slices"),
              std::string::npos);
}

TEST(PlanAs, WhatIsChosenIsThePlanOfItsStrategy) {
    for (const LayerShape& shape : {LayerShape{2, 100, 1, 2}, LayerShape{1, 100, 16, 4},
                                    LayerShape{1, 100, 1, 2}, LayerShape{1, 1, 1, 2}}) {
        const auto cell = default_cell(CellKind::lstm, 512, 512);
        const StrategyPlan chosen = plan_strategy(cell, server(), shape);
        const auto forced = plan_as(chosen.strategy, cell, server(), shape);
        ASSERT_TRUE(forced) << name_of(chosen.strategy);
        EXPECT_EQ(forced->slices, chosen.slices);
        EXPECT_EQ(forced->row_slices, chosen.row_slices);
        EXPECT_EQ(forced->microseconds, chosen.microseconds);
    }
}

// A step of 0.2 us is never worth a split; the estimate says so.
TEST(PlanAs, ForcesWhatDoesNotPay) {
    const auto cell = default_cell(CellKind::rnn, 64, 64);
    const LayerShape shape{2, 1, 2, 4};
    EXPECT_EQ(plan_strategy(cell, server(), shape).strategy, Strategy::serial);
    for (Strategy strategy : kStrategies) {
        const auto plan = plan_as(strategy, cell, server(), shape);
        ASSERT_TRUE(plan) << name_of(strategy);
        EXPECT_EQ(plan->strategy, strategy);
        if (strategy == Strategy::serial) continue;
        EXPECT_GT(plan->slices, 1) << name_of(strategy);
        EXPECT_GT(plan->microseconds, plan->serial_microseconds) << name_of(strategy);
    }
}

TEST(PlanAs, NothingWhereTheShapeHasNoParts) {
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
        EXPECT_FALSE(plan_as(row.strategy, cell, server(), row.shape)) << name_of(row.strategy);
    }
    const auto cell = default_cell(CellKind::lstm, 64, 64);
    EXPECT_TRUE(plan_as(Strategy::serial, cell, server(), {1, 1, 0, 1}));
}

}  // namespace
}  // namespace rondo::cpu
