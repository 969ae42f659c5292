// Random models in which a device has a fault become a few nodes that still show it.
#include "tests/random/minimise/minimise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rondo/error.hpp"
#include "tests/random/minimise/failure_kind.hpp"
#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/minimise/injected_fault.hpp"
#include "tests/random/run_model.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test::minimise_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsSupersetOf;
using ::testing::Le;
using ::testing::SizeIs;

constexpr std::size_t kModels = 8;

// Without a limit of time, which would make the outcome depend on the machine.
constexpr MinimiseLimits kPatient{1000, std::chrono::hours(1)};

std::vector<std::string> ops_of(const RandomModel& model) {
    Candidate candidate(model);
    std::vector<std::string> ops;
    for (const auto* graph : all_graphs(candidate)) {
        for (const auto& node : graph->node()) ops.push_back(node.op_type());
    }
    return ops;
}

bool has_op(const RandomModel& model, const std::string& op) {
    const auto ops = ops_of(model);
    return std::find(ops.begin(), ops.end(), op) != ops.end();
}

// The model is valid, and fails as it says.
void expect_failing(const Minimised& minimal, const Failure& failure, const std::string& text) {
    EXPECT_NO_THROW(run_model(minimal.model, "REFERENCE"));
    EXPECT_EQ(failure(minimal.model), minimal.failure);
    EXPECT_EQ(failure_kind(minimal.failure), failure_kind(text));
    EXPECT_EQ(minimal.nodes, ops_of(minimal.model).size());
    EXPECT_EQ(minimal.model.outputs.size(), 1U);
    EXPECT_LT(minimal.trials, kPatient.trials);
}

// What is left of each of a few models that fail.
std::vector<Minimised> minimised(const Failure& failure) {
    std::vector<Minimised> all;
    for (const RandomModel& model : failing_models(failure, kModels)) {
        all.push_back(minimise(model, failure, kPatient));
        expect_failing(all.back(), failure, failure(model));
    }
    EXPECT_THAT(all, SizeIs(kModels));
    return all;
}

TEST(Minimise, AFaultOfOneNodeIsOneNode) {
    const auto failure =
        fault_in([](const auto& at) { return at.node.op_type() == "Tanh"; }, "Sin");
    for (const Minimised& minimal : minimised(failure)) {
        EXPECT_THAT(ops_of(minimal.model), ElementsAre("Tanh"));
        EXPECT_THAT(minimal.model.inputs, ElementsAre(SizeIs(Le(1U))));
    }
}

TEST(Minimise, WhatTheFaultNeedsStays) {
    const auto is_late = [](const PlacedNode& at) {
        return at.owner.empty() && at.node.op_type() == "Softmax" && nodes_before(at) > 3;
    };
    const auto failure = fault_in(is_late, "LogSoftmax");
    for (const Minimised& minimal : minimised(failure)) {
        EXPECT_THAT(ops_of(minimal.model), Contains("Softmax"));
        EXPECT_THAT(minimal.nodes, Ge(5U));
        EXPECT_THAT(minimal.nodes, Le(6U));
    }
}

class MinimiseBodies : public ::testing::TestWithParam<const char*> {};

// The node with the body, the faulty one, and what else the body must make. A body that fills a
// list needs three nodes more.
TEST_P(MinimiseBodies, AFaultInABodyKeepsTheBody) {
    const std::string owner = GetParam();
    const auto failure = fault_in(
        [&](const PlacedNode& at) { return at.owner == owner && at.node.op_type() == "Tanh"; },
        "Sin");
    for (const Minimised& minimal : minimised(failure)) {
        EXPECT_THAT(ops_of(minimal.model), IsSupersetOf({owner, std::string("Tanh")}));
        EXPECT_THAT(minimal.nodes, Le(6U)) << ::testing::PrintToString(ops_of(minimal.model));
    }
}

INSTANTIATE_TEST_SUITE_P(Op, MinimiseBodies, ::testing::Values("If", "Loop", "Scan"));

// Each model has two faults, one of which shows only where the other one doesn't.
TEST(Minimise, AnErrorDoesNotBecomeAnother) {
    const Failure failure = [](const RandomModel& model) -> std::string {
        run_model(model, "REFERENCE");
        if (has_op(model, "MatMul")) return "CPU: 'node 'MatMul_7' (MatMul): no kernel for [2,3]'";
        if (has_op(model, "Tanh")) return "CPU: 'node 'Tanh_8' (Tanh): no kernel for [2]'";
        return {};
    };
    const auto has_both = [&](const RandomModel& model) {
        return has_op(model, "MatMul") && has_op(model, "Tanh") ? failure(model) : "";
    };
    for (const RandomModel& model : failing_models(has_both, kModels)) {
        const Minimised minimal = minimise(model, failure, kPatient);
        expect_failing(minimal, failure, failure(model));
        EXPECT_THAT(ops_of(minimal.model), ElementsAre("MatMul"));
    }
}

TEST(Minimise, RunsThatTheFaultNeedsStay) {
    const Failure failure = [](const RandomModel& model) -> std::string {
        run_model(model, "REFERENCE");
        return model.inputs.size() >= 2 ? "run 1, output 'y' element 0 of [1] is 2; expected 1"
                                        : "";
    };
    const Minimised minimal = minimise(random_model(1), failure, kPatient);
    EXPECT_EQ(minimal.model.inputs.size(), 2U);
    EXPECT_EQ(minimal.nodes, 1U);
}

// x, its Tanh, which is the output, and its Softmax and its Sin, which nothing reads.
RandomModel model_with_unread_nodes() {
    ModelBuilder builder;
    builder.input("x", ElementType::f32, PartialShape({2}));
    builder.node("Tanh", {"x"}, {"y"});
    builder.node("Softmax", {"x"}, {"unread"});
    builder.node("Sin", {"x"}, {"unread_too"});
    builder.output("y");
    return {builder.bytes(), {}, {{{"x", tensor_of<float>({2}, {1, 2})}}}, {"y"}};
}

TEST(Minimise, ANodeThatNothingReadsMayBeTheFault) {
    const Failure failure = [](const RandomModel& model) -> std::string {
        return has_op(model, "Softmax") ? "refused" : "";
    };
    const Minimised minimal = minimise(model_with_unread_nodes(), failure, kPatient);
    EXPECT_THAT(ops_of(minimal.model), ElementsAre("Softmax"));
}

TEST(Minimise, TheFaultMayBeThatNothingReadsANode) {
    const Failure failure = [](const RandomModel& model) -> std::string {
        run_model(model, "REFERENCE");
        return has_op(model, "Softmax") && model.outputs[0] != "unread" ? "refused" : "";
    };
    const Minimised minimal = minimise(model_with_unread_nodes(), failure, kPatient);
    EXPECT_THAT(ops_of(minimal.model), ElementsAre("Identity", "Softmax"));
}

// Counts to x by its condition alone, which a trial makes "true for ever".
TEST(Minimise, NoTrialRunsForever) {
    ModelBuilder body, builder;
    const PartialShape scalar(std::vector<Dimension>{});
    body.input("i", ElementType::i64, scalar).input("go_on", ElementType::boolean, scalar);
    body.node("Less", {"i", "x"}, {"is_less"});
    body.node("And", {"is_less", "go_on"}, {"goes_on"});
    body.node("Identity", {"i"}, {"number"});
    body.output("goes_on").output("number");
    builder.input("x", ElementType::i64, scalar).initializer("true", scalar_of<bool>(true));
    builder.node("Loop", {"", "true"}, {"y"}).with("body", body.graph());
    builder.output("y");
    const RandomModel model{builder.bytes(), {}, {{{"x", scalar_of<std::int64_t>(3)}}}, {"y"}};
    const Failure failure = [](const RandomModel& tried) -> std::string {
        run_model(tried, "REFERENCE");
        return has_op(tried, "Loop") ? "run 0, output 'y' element 0 of [3] is 1; expected 0" : "";
    };
    EXPECT_THAT(ops_of(minimise(model, failure, kPatient).model),
                ElementsAre("Loop", "Identity", "Identity"));
}

TEST(Minimise, GivesTheSameEachTime) {
    const auto failure =
        fault_in([](const auto& at) { return at.node.op_type() == "Softmax"; }, "LogSoftmax");
    const RandomModel model = failing_models(failure, 1).front();
    const Minimised first = minimise(model, failure, kPatient);
    const Minimised second = minimise(model, failure, kPatient);
    EXPECT_EQ(first.model.bytes, second.model.bytes);
    EXPECT_EQ(first.trials, second.trials);
}

TEST(Minimise, EndsAtItsLimits) {
    const auto failure =
        fault_in([](const auto& at) { return at.node.op_type() == "Tanh"; }, "Sin");
    const RandomModel model = failing_models(failure, 1).front();
    const Minimised few = minimise(model, failure, {4, std::chrono::hours(1)});
    EXPECT_EQ(few.trials, 4U);
    EXPECT_EQ(failure(few.model), few.failure);
    EXPECT_LE(minimise(model, failure, {3000, std::chrono::seconds(0)}).trials, 1U);
}

TEST(Minimise, AModelThatDoesNotFailStays) {
    const RandomModel model = random_model(1);
    const Minimised same = minimise(model, [](const RandomModel&) { return std::string(); });
    EXPECT_EQ(same.model.bytes, Candidate(model).model().bytes);
    EXPECT_EQ(same.failure, "");
    EXPECT_EQ(same.trials, 0U);
}

}  // namespace
}  // namespace rondo::test::minimise_test
