// What must hold for any costs of a machine: order, not ratios, which each fit would change.
#include "plugins/cpu/kernels/choice/cost_model.hpp"

#include <gtest/gtest.h>

namespace rondo::cpu::cost_model_test {
namespace {

class EveryVendor : public testing::TestWithParam<CpuVendor> {
protected:
    EveryVendor() {
        features_.vendor = GetParam();
        features_.avx2 = features_.avx512 = true;
        features_.l2_bytes = 1024 * 1024;
        features_.l3_bytes = 32 * 1024 * 1024;
    }

    double one_row(const CellConfig& cell, std::int64_t time) const {
        return CostModel(features_).step(cell, {1, time, cell.hidden_size, 1});
    }

    CpuFeatures features_;
};

TEST_P(EveryVendor, LargerLayersAreNeverCheaper) {
    for (const CellKind kind : {CellKind::lstm, CellKind::gru, CellKind::rnn}) {
        double before = 0;
        for (std::int64_t hidden = 16; hidden <= 4096; hidden *= 2) {
            const double now = one_row(default_cell(kind, hidden, hidden), 100);
            EXPECT_GT(now, before) << "H " << hidden;
            before = now;
        }
    }
}

TEST_P(EveryVendor, MoreRowsAreNeverCheaperAndNeverMoreThanProportional) {
    const CostModel costs(features_);
    const CellConfig cell = default_cell(CellKind::lstm, 256, 256);
    for (std::int64_t rows = 1; rows <= 64; rows *= 2) {
        const double once = costs.step(cell, {rows, 100, 256, 1});
        const double twice = costs.step(cell, {2 * rows, 100, 256, 1});
        EXPECT_GT(twice, once);
        EXPECT_LE(twice, 2.5 * once) << "beyond the caches of the projected inputs alone";
    }
}

// One row streams the weights: fewer bytes are never slower.
TEST_P(EveryVendor, CountsTheBytesOfTheWeights) {
    for (std::int64_t hidden : {64, 512, 2048}) {
        CellConfig cell = default_cell(CellKind::lstm, hidden, hidden);
        const double f32 = one_row(cell, 100);
        cell.weights = ElementType::bf16;
        EXPECT_LE(one_row(cell, 100), f32);
        cell.weights = ElementType::f64;
        EXPECT_GT(one_row(cell, 100), f32);
    }
}

// A single step reads W for itself, and finds less of the weights in the caches.
TEST_P(EveryVendor, TheOnlyStepReadsWAndR) {
    const CellConfig cell = default_cell(CellKind::lstm, 192, 192);
    EXPECT_GT(one_row(cell, 1), one_row(cell, 100));
    EXPECT_GE(CostModel(features_).step(cell, {1, 1, 192, 2}), one_row(cell, 1));
}

// Half of the units of a layer that outgrows the L2 cost less than half.
TEST_P(EveryVendor, ASliceThatFitsTheCacheIsWorthMoreThanItsSize) {
    const CellConfig cell = default_cell(CellKind::lstm, 384, 384);
    EXPECT_LT(CostModel(features_).step(cell, {1, 100, 192, 1}), 0.5 * one_row(cell, 100));
}

TEST_P(EveryVendor, TeamsCost) {
    const CostModel costs(features_);
    EXPECT_GT(costs.team(2, true), 0);
    EXPECT_GT(costs.team(4, true), costs.team(2, true));
    EXPECT_GT(costs.team(2, false), costs.team(2, true));
    const CellConfig cell = default_cell(CellKind::lstm, 256, 256);
    EXPECT_GT(costs.meeting(cell, 1, 2), 0);
    EXPECT_GT(costs.meeting(cell, 16, 2), costs.meeting(cell, 1, 2));
    EXPECT_GT(costs.meeting(cell, 1, 4), costs.meeting(cell, 1, 2));
}

INSTANTIATE_TEST_SUITE_P(CostModel, EveryVendor,
                         testing::Values(CpuVendor::intel, CpuVendor::amd, CpuVendor::other),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace rondo::cpu::cost_model_test
