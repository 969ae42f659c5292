// How stacked layers are split among threads.
#include "plugins/cpu/kernels/choice/strategy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::cpu::stacked_strategy_test {
namespace {

const CpuFeatures kServer = [] {
    CpuFeatures features;
    features.avx2 = features.avx512 = true;
    features.l2_bytes = 2 * 1024 * 1024;
    features.l3_bytes = 32 * 1024 * 1024;
    return features;
}();

StackedChoice choice_of(const std::vector<CellConfig>& layers, const LayerShape& shape) {
    std::vector<const CellConfig*> cells;
    for (const CellConfig& layer : layers) cells.push_back(&layer);
    return choose_stacked_strategy(cells, CostModel(kServer), shape);
}

std::vector<CellConfig> equal_layers(CellKind kind, std::int64_t hidden, std::size_t count = 2) {
    return std::vector<CellConfig>(count, default_cell(kind, hidden, hidden));
}

struct Row {
    const char* what;
    std::vector<CellConfig> layers;
    LayerShape shape;  // directions, T, N, threads
    StackedStrategy expected;
    int slices;
};

TEST(ChooseStackedStrategy, Table) {
    using S = StackedStrategy;
    const auto lstm = CellKind::lstm, gru = CellKind::gru;
    const Row rows[] = {
        {"one thread", equal_layers(lstm, 128), {1, 100, 1, 1}, S::serial, 1},
        {"no rows", equal_layers(lstm, 128), {1, 100, 0, 2}, S::serial, 1},
        {"no steps", equal_layers(lstm, 128), {1, 0, 4, 2}, S::serial, 1},
        {"a streaming step", equal_layers(lstm, 32), {1, 1, 1, 2}, S::serial, 1},
        {"few small steps", equal_layers(lstm, 32), {1, 5, 1, 2}, S::serial, 1},
        {"small steps", equal_layers(lstm, 64), {1, 100, 1, 2}, S::wavefront, 2},
        {"gru", equal_layers(gru, 128), {1, 100, 1, 2}, S::wavefront, 2},
        {"more layers than threads", equal_layers(gru, 64, 5), {1, 100, 1, 2}, S::wavefront, 2},
        {"more threads than layers", equal_layers(gru, 64, 3), {1, 100, 1, 8}, S::wavefront, 3},
        {"rows for all", equal_layers(lstm, 128), {1, 100, 16, 2}, S::batch_split, 2},
        {"weights for two caches", equal_layers(lstm, 512), {1, 100, 1, 2}, S::one_by_one, 1},
    };
    for (const Row& row : rows) {
        const StackedChoice choice = choice_of(row.layers, row.shape);
        EXPECT_STREQ(to_string(choice.strategy), to_string(row.expected))
            << row.what << ": " << reason_of(choice, row.shape);
        EXPECT_EQ(choice.slices, row.slices) << row.what;
        EXPECT_LE(choice.microseconds, choice.one_by_one_microseconds) << row.what;
    }
}

// What is claimed for layers one by one is what they would do as nodes of their own.
TEST(ChooseStackedStrategy, OneByOneIsTheSumOfTheLayers) {
    const auto layers = equal_layers(CellKind::lstm, 256, 3);
    const LayerShape shape{1, 50, 1, 2};
    const double alone = choose_strategy(layers[0], CostModel(kServer), shape).microseconds;
    EXPECT_DOUBLE_EQ(choice_of(layers, shape).one_by_one_microseconds, 3 * alone);
}

TEST(ChooseStackedStrategy, TilesAreShorterThanTheSequence) {
    for (std::int64_t time : {20, 100, 1000}) {
        for (std::int64_t batch : {1, 2, 5}) {
            const LayerShape shape{1, time, batch, 2};
            const StackedChoice choice = choice_of(equal_layers(CellKind::gru, 96), shape);
            if (choice.strategy != StackedStrategy::wavefront) continue;
            EXPECT_GE(choice.tile * batch, 4) << "products of fewer rows are slow";
            EXPECT_LE(choice.tile, time / 4) << "T " << time << ", N " << batch;
        }
    }
}

// A layer that dwarfs the other leaves nothing to share.
TEST(ChooseStackedStrategy, UnequalLayersAreNotShared) {
    const std::vector<CellConfig> layers{default_cell(CellKind::lstm, 16, 16),
                                         default_cell(CellKind::lstm, 16, 200)};
    const StackedChoice choice = choice_of(layers, {1, 100, 1, 2});
    EXPECT_NE(choice.strategy, StackedStrategy::wavefront);
}

TEST(ChooseStackedStrategy, ReasonsHoldNumbers) {
    const auto layers = equal_layers(CellKind::lstm, 64);
    const auto reason = [&](const LayerShape& shape) {
        return reason_of(choice_of(layers, shape), shape);
    };
    EXPECT_EQ(reason({1, 100, 1, 1}), "one thread");
    EXPECT_NE(reason({1, 100, 1, 2}).find(" steps instead of "), std::string::npos);
    EXPECT_NE(reason({1, 100, 16, 2}).find(" us in 2 slices instead of "), std::string::npos);
    EXPECT_NE(reason({1, 1, 1, 2}).find("on one thread: no split would pay"), std::string::npos);
    const LayerShape large{1, 100, 1, 2};
    EXPECT_NE(reason_of(choice_of(equal_layers(CellKind::lstm, 512), large), large)
                  .find("a wavefront would not pay"),
              std::string::npos);
}

}  // namespace
}  // namespace rondo::cpu::stacked_strategy_test
