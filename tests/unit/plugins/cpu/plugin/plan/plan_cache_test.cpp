#include "plugins/cpu/plugin/plan/planned_program.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::cpu::plan_cache_test {
namespace {

// Counts how often a plan had to be made.
class PlanCacheTest : public ::testing::Test {
protected:
    std::shared_ptr<const Plan> get(std::size_t batch) {
        return get(PlanKey{{Shape{batch, 3}}, {}});
    }

    std::shared_ptr<const Plan> get(const PlanKey& key) {
        return cache_.get(key, [&] {
            ++made_;
            auto plan = std::make_shared<Plan>();
            plan->key = key;
            return plan;
        });
    }

    PlanCache cache_{3};
    int made_ = 0;
};

TEST_F(PlanCacheTest, HandsOutThePlanThatItHas) {
    const auto first = get(1);
    get(2);
    EXPECT_EQ(get(1), first);
    EXPECT_EQ(made_, 2);
    EXPECT_EQ(cache_.counts().made, 2u);
    EXPECT_EQ(cache_.counts().hits, 1u);
}

TEST_F(PlanCacheTest, TellsVariablesApart) {
    const Shape shape{1, 3};
    const auto from_init = get(PlanKey{{shape}, {std::nullopt}});
    const auto kept = get(PlanKey{{shape}, {shape}});
    const auto larger = get(PlanKey{{shape}, {Shape{2, 3}}});
    EXPECT_EQ(made_, 3);
    EXPECT_EQ(get(PlanKey{{shape}, {std::nullopt}}), from_init);
    EXPECT_EQ(get(PlanKey{{shape}, {shape}}), kept);
    EXPECT_EQ(get(PlanKey{{shape}, {Shape{2, 3}}}), larger);
    EXPECT_EQ(made_, 3);
}

TEST_F(PlanCacheTest, ForgetsTheLeastRecentlyUsed) {
    for (const std::size_t batch : {1, 2, 3}) get(batch);
    get(1);  // 2 is now the oldest
    get(4);
    EXPECT_EQ(cache_.size(), 3u);
    EXPECT_EQ(made_, 4);
    get(1);
    get(3);
    EXPECT_EQ(made_, 4);
    get(2);
    EXPECT_EQ(made_, 5);
}

TEST_F(PlanCacheTest, KeepsNothingOfAPlanThatFailed) {
    const PlanKey key{{Shape{7, 3}}, {}};
    test::expect_error<ModelError>(
        [&] { cache_.get(key, []() -> std::shared_ptr<const Plan> { throw ModelError("no"); }); },
        "no");
    EXPECT_EQ(cache_.size(), 0u);
    EXPECT_NE(get(7), nullptr);
}

}  // namespace
}  // namespace rondo::cpu::plan_cache_test
