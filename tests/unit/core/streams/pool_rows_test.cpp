#include "core/streams/pool_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/runtime/transforms.hpp"
#include "tests/unit/core/streams/pool_models.hpp"

namespace rondo::test::pool_rows_test {
namespace {

using testing::HasSubstr;

TEST(PoolRows, PlansForFewNumbersOfRows) {
    for (const std::size_t most : {1U, 5U, 8U, 24U, 64U, 100U}) {
        std::size_t last = 0;
        for (std::size_t steps = 1; steps <= most; ++steps) {
            const std::size_t rows = planned_rows(steps, most);
            EXPECT_GE(rows, steps);
            EXPECT_LE(rows, most);
            EXPECT_LE(rows - steps, steps <= 8 ? 0 : steps / 4);
            EXPECT_GE(rows, last);
            EXPECT_EQ(planned_rows(rows, most), rows);
            last = rows;
        }
        EXPECT_EQ(last, most);
    }
    EXPECT_EQ(planned_row_counts(1), 1U);
    EXPECT_EQ(planned_row_counts(8), 8U);
    EXPECT_EQ(planned_row_counts(64), 20U);
}

TEST(PoolRows, FindsTheAxes) {
    const auto graph = scaled_sum().graph();
    const RowAxes axes = rows_for_batches(*graph, builtin_transforms().find_row_axes(*graph), 64);
    EXPECT_EQ(axes.obstacle, "");
    EXPECT_EQ(axes.inputs[0], 0U);
    EXPECT_EQ(axes.inputs[1], std::nullopt);
    EXPECT_EQ(axes.outputs[0], 0U);
    EXPECT_EQ(axes.variables[0], 0U);
}

TEST(PoolRows, NamesWhatIsInTheWay) {
    const auto obstacle = [](const Model& model, std::size_t most) {
        return rows_for_batches(*model.graph(), builtin_transforms().find_row_axes(*model.graph()),
                                most)
            .obstacle;
    };
    EXPECT_THAT(obstacle(running_sum(), 1), HasSubstr("max_batch"));
    EXPECT_THAT(obstacle(running_sum("[1,2]"), 8), HasSubstr("Model::set_batch"));
    EXPECT_THAT(obstacle(running_sum("[1..4,2]"), 8), HasSubstr("up to 8"));
    EXPECT_EQ(obstacle(running_sum("[1..4,2]"), 4), "");
    EXPECT_THAT(obstacle(running_sum("[?,?]"), 8),
                HasSubstr("variable 'sum' has the shape [?,?]: axis 1 is open besides the batch"));
}

}  // namespace
}  // namespace rondo::test::pool_rows_test
