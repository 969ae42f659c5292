#include "plugins/cpu/plugin/run/plan_history.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::cpu::plan_history_test {
namespace {

using test::expect_same;

class PlanHistoryTest : public ::testing::Test {
protected:
    static std::vector<Tensor> inputs(std::size_t batch) {
        return {{ElementType::f32, {batch, 3}}};
    }

    BoundPlan& add(std::size_t batch) {
        auto plan = std::make_shared<Plan>();
        plan->key.inputs = {Shape{batch, 3}};
        plan->outputs = {{0, {ElementType::f32, {batch, 3}, {}, true}}};
        return history_.add(std::move(plan), *graph_);
    }

    BoundPlan& add(std::size_t batch, const std::optional<Shape>& variable) {
        auto plan = std::make_shared<Plan>();
        plan->key = {{Shape{batch, 3}}, {variable}};
        return history_.add(std::move(plan), *graph_);
    }

    static Tensor bound_output(BoundPlan& use, std::size_t batch) {
        std::vector<Tensor> outputs(1);
        std::vector<void*> targets(1);
        use.outputs.bind(inputs(batch), outputs, targets);
        return outputs[0];
    }

    // The output that the use makes for itself.
    static const void* own_output(BoundPlan& use, std::size_t batch) {
        return bound_output(use, batch).data();
    }

    std::shared_ptr<Graph> graph_ = [] {
        const auto x = test::parameter("x", {-1, 3});
        return test::graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::relu, x)});
    }();
    PlanHistory history_{3};
};

TEST_F(PlanHistoryTest, FindsWhatFits) {
    EXPECT_EQ(history_.find(inputs(1)), nullptr);
    BoundPlan& one = add(1);
    BoundPlan& two = add(2);
    EXPECT_TRUE(one.fits(inputs(1)));
    EXPECT_FALSE(one.fits(inputs(2)));
    EXPECT_EQ(history_.find(inputs(1)), &one);
    EXPECT_EQ(history_.find(inputs(2)), &two);
    EXPECT_EQ(history_.find(inputs(3)), nullptr);
}

TEST_F(PlanHistoryTest, TellsVariablesApart) {
    test::GraphBuilder b;
    const Output x = b.input("x", "[?]");
    b.assign("v", b.read("v", "[?]", {x}));
    auto variables = variable_values(*b.graph());
    BoundPlan& from_init = add(1, std::nullopt);
    BoundPlan& kept = add(1, Shape{2});
    EXPECT_EQ(history_.find(inputs(1), variables), &from_init);
    variables[0].set(Tensor(ElementType::f32, {2}));
    EXPECT_EQ(history_.find(inputs(1), variables), &kept);
    variables[0].set(Tensor(ElementType::f32, {3}));
    EXPECT_EQ(history_.find(inputs(1), variables), nullptr);
}

TEST_F(PlanHistoryTest, ForgetsTheOneLongestOutOfUse) {
    for (const std::size_t batch : {1, 2, 3}) add(batch);
    EXPECT_NE(history_.find(inputs(1)), nullptr);
    add(4);
    EXPECT_EQ(history_.size(), 3u);
    EXPECT_EQ(history_.find(inputs(2)), nullptr);
    for (const std::size_t batch : {1, 3, 4}) EXPECT_NE(history_.find(inputs(batch)), nullptr);
}

TEST_F(PlanHistoryTest, KeepsSmallOutputsAndGivesBackLargeOnes) {
    constexpr std::size_t kLarge = OutputBinding::kWorthKeeping / 12 + 1;
    BoundPlan& small = add(1);
    const void* small_output = own_output(small, 1);
    BoundPlan& large = add(kLarge);
    const Tensor held = bound_output(large, kLarge);
    EXPECT_EQ(own_output(large, kLarge), held.data());
    EXPECT_EQ(own_output(*history_.find(inputs(1)), 1), small_output);
    EXPECT_NE(own_output(*history_.find(inputs(kLarge)), kLarge), held.data());
}

// A first segment that reads one element at its end, and those after it.
class SegmentHistoryTest : public PlanHistoryTest {
protected:
    BoundPlan& start(std::size_t batch) {
        auto plan = std::make_shared<Plan>();
        plan->key.inputs = {Shape{batch, 3}};
        plan->end.reads = {{0, {ElementType::i64, {1}, {}, true}, 0, sizeof(element_)}};
        BoundPlan& use = history_.add(std::move(plan), *graph_);
        use.addresses = {&element_};
        return use;
    }

    BoundPlan& follow(const BoundPlan& use, std::int64_t element) {
        auto plan = std::make_shared<Plan>();
        plan->key = use.plan->key;
        plan->key.before = use.plan;
        plan->key.values = {test::tensor_of<std::int64_t>({1}, {element})};
        plan->end.segments = 2;
        return history_.add(std::move(plan), *graph_);
    }

    // What follows the first segment where its run has computed `element`.
    BoundPlan* next_for(std::int64_t element) {
        element_ = element;
        history_.restart();
        return history_.find_next();
    }

    std::int64_t element_ = 0;
};

TEST_F(SegmentHistoryTest, FindsTheSegmentForTheElementsThatWereRead) {
    BoundPlan& first = start(1);
    EXPECT_EQ(next_for(5), nullptr);
    BoundPlan& five = follow(first, 5);
    EXPECT_EQ(next_for(6), nullptr);
    BoundPlan& six = follow(first, 6);
    EXPECT_EQ(next_for(5), &five);
    EXPECT_EQ(history_.chain().size(), 2u);
    EXPECT_EQ(next_for(6), &six);
    EXPECT_EQ(next_for(7), nullptr);
    EXPECT_EQ(history_.find(inputs(1)), &first);  // a later segment is no start
    EXPECT_EQ(history_.chain().size(), 1u);
}

TEST_F(SegmentHistoryTest, KeepsTheSegmentsOfTheLatestChains) {
    BoundPlan& first = start(1);
    for (std::int64_t element = 0; element < 20; ++element) {
        EXPECT_EQ(next_for(element), nullptr);
        follow(first, element);
    }
    EXPECT_EQ(history_.size(), 6u);  // 3 chains of 2 segments
    EXPECT_EQ(history_.find(inputs(1)), &first);
    for (const std::int64_t element : {15, 19, 17, 16, 18}) EXPECT_NE(next_for(element), nullptr);
    EXPECT_EQ(next_for(14), nullptr);
    EXPECT_NE(next_for(15), nullptr);
}

}  // namespace
}  // namespace rondo::cpu::plan_history_test
