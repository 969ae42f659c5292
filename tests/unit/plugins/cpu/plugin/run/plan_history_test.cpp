#include "plugins/cpu/plugin/run/plan_history.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/unary.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::cpu {
namespace {

using test::expect_same;

class PlanHistoryTest : public ::testing::Test {
protected:
    static std::vector<Tensor> inputs(std::size_t batch) {
        return {{ElementType::f32, {batch, 3}}};
    }

    PlanUse& add(std::size_t batch) {
        auto plan = std::make_shared<Plan>();
        plan->key.inputs = {{batch, 3}};
        plan->outputs = {{0, {ElementType::f32, {batch, 3}, {}, true}}};
        return history_.add(std::move(plan), *graph_);
    }

    PlanUse& add(std::size_t batch, const std::optional<Shape>& variable) {
        auto plan = std::make_shared<Plan>();
        plan->key = {{{batch, 3}}, {variable}};
        return history_.add(std::move(plan), *graph_);
    }

    static Tensor bound_output(PlanUse& use, std::size_t batch) {
        std::vector<Tensor> outputs(1);
        std::vector<void*> targets(1);
        use.outputs.bind(inputs(batch), outputs, targets);
        return outputs[0];
    }

    // The output that the use makes for itself.
    static const void* own_output(PlanUse& use, std::size_t batch) {
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
    PlanUse& one = add(1);
    PlanUse& two = add(2);
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
    PlanUse& from_init = add(1, std::nullopt);
    PlanUse& kept = add(1, Shape{2});
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
    PlanUse& small = add(1);
    const void* small_output = own_output(small, 1);
    PlanUse& large = add(kLarge);
    const Tensor held = bound_output(large, kLarge);
    EXPECT_EQ(own_output(large, kLarge), held.data());
    EXPECT_EQ(own_output(*history_.find(inputs(1)), 1), small_output);
    EXPECT_NE(own_output(*history_.find(inputs(kLarge)), kLarge), held.data());
}

}  // namespace
}  // namespace rondo::cpu
