// Changes of nodes with bodies: what they keep, and that the model stays valid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/random/minimise/graph_parts.hpp"
#include "tests/random/minimise/steps.hpp"
#include "tests/random/run_model.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test::body_steps_test {
namespace {

using ::testing::SizeIs;

// The first run's outputs of the model with one edit of a step.
std::vector<Tensor> outputs_after(const RandomModel& model, Step step, std::size_t edit) {
    Candidate candidate(model);
    step(candidate).at(edit)(candidate);
    drop_unread(candidate);
    return run_model(candidate.model(), "REFERENCE").front();
}

RandomModel model_of(const ModelBuilder& builder, const Tensor& x,
                     const std::vector<std::string>& outputs) {
    return {builder.bytes(), {}, {{{"x", x}}}, outputs};
}

RandomModel model_with_if() {
    ModelBuilder yes, no, builder;
    yes.node("Neg", {"x"}, {"then"});
    yes.output("then");
    no.node("Identity", {"x"}, {"else"});
    no.output("else");
    builder.input("x", ElementType::f32, PartialShape({2}));
    builder.initializer("flag", scalar_of<bool>(true));
    builder.node("If", {"flag"}, {"y"})
        .with("then_branch", yes.graph())
        .with("else_branch", no.graph());
    builder.output("y");
    return model_of(builder, tensor_of<float>({2}, {1, 2}), {"y"});
}

TEST(BodySteps, ABranchStandsForAnIf) {
    const RandomModel model = model_with_if();
    ASSERT_THAT(inline_branches(Candidate(model)), SizeIs(2));
    expect_same(outputs_after(model, inline_branches, 0).at(0), tensor_of<float>({2}, {-1, -2}));
    expect_same(outputs_after(model, inline_branches, 1).at(0), tensor_of<float>({2}, {1, 2}));
}

// v doubles, w stays what x is; v of each iteration is joined.
RandomModel model_with_loop(const std::vector<std::string>& outputs) {
    ModelBuilder body, builder;
    body.input("i", ElementType::i64, PartialShape(std::vector<Dimension>{}));
    body.input("go_on", ElementType::boolean, PartialShape(std::vector<Dimension>{}));
    body.input("v", ElementType::f32, PartialShape({2}));
    body.input("w", ElementType::f32, PartialShape({2}));
    body.initializer("seven", scalar_of<float>(7));
    body.node("Identity", {"go_on"}, {"goes_on"});
    body.node("Add", {"x", "seven"}, {"more"});
    body.node("Add", {"v", "v"}, {"next"});
    body.node("Mul", {"more", "w"}, {"joined"});
    body.node("Identity", {"w"}, {"same"});
    for (const char* name : {"goes_on", "next", "same", "joined"}) body.output(name);
    builder.input("x", ElementType::f32, PartialShape({2}));
    builder.initializer("count", scalar_of<std::int64_t>(3));
    builder.node("Loop", {"count", "", "x", "x"}, {"last", "kept", "all"})
        .with("body", body.graph());
    for (const auto& output : outputs) builder.output(output);
    return model_of(builder, tensor_of<float>({2}, {1, 2}), outputs);
}

TEST(BodySteps, AnIterationStandsForALoop) {
    const RandomModel model = model_with_loop({"last", "kept", "all"});
    const auto outputs = outputs_after(model, inline_iterations, 0);
    expect_same(outputs.at(0), tensor_of<float>({2}, {2, 4}));
    expect_same(outputs.at(1), tensor_of<float>({2}, {1, 2}));
    expect_same(outputs.at(2), tensor_of<float>({1, 2}, {8, 18}));
}

TEST(BodySteps, UnreadResultsOfALoopFallOut) {
    const RandomModel model = model_with_loop({"all"});
    ASSERT_THAT(drop_results(Candidate(model)), SizeIs(2));
    const Tensor all = tensor_of<float>({3, 2}, {8, 18, 8, 18, 8, 18});
    for (const std::size_t edit : {0U, 1U}) {
        expect_same(outputs_after(model, drop_results, edit).at(0), all);
    }
    const RandomModel other = model_with_loop({"last"});
    for (const std::size_t edit : {0U, 1U}) {
        expect_same(outputs_after(other, drop_results, edit).at(0), tensor_of<float>({2}, {8, 16}));
    }
}

TEST(BodySteps, WhatDoesNotNeedABodyStandsBeforeIt) {
    const RandomModel model = model_with_loop({"all"});
    Candidate candidate(model);
    const auto edits = hoist_nodes(candidate);
    ASSERT_THAT(edits, SizeIs(1));
    edits.front()(candidate);
    EXPECT_EQ(candidate.graph().node(0).output(0), "more");
    EXPECT_EQ(candidate.graph().initializer(1).name(), "seven");
    EXPECT_EQ(run_difference(model, run_model(candidate.model(), "REFERENCE"),
                             run_model(model, "REFERENCE")),
              "");
}

// Walks the columns of x from the last one, and its rows in vain. The outputs are columns, too.
RandomModel model_with_scan() {
    ModelBuilder body, builder;
    body.input("column", ElementType::f32, PartialShape({2}));
    body.input("row", ElementType::f32, PartialShape({2}));
    body.node("Neg", {"column"}, {"negative"});
    body.node("Add", {"column", "column"}, {"doubled"});
    for (const char* name : {"negative", "doubled"}) body.output(name);
    builder.input("x", ElementType::f32, PartialShape({2, 2}));
    builder.node("Scan", {"x", "x"}, {"y", "z"})
        .with("body", body.graph())
        .with("num_scan_inputs", 2)
        .with("scan_input_axes", std::vector<std::int64_t>{-1, 0})
        .with("scan_input_directions", std::vector<std::int64_t>{1, 0})
        .with("scan_output_axes", std::vector<std::int64_t>{0, 1})
        .with("scan_output_directions", std::vector<std::int64_t>{0, 0});
    builder.output("z");
    return model_of(builder, tensor_of<float>({2, 2}, {1, 2, 3, 4}), {"z"});
}

TEST(BodySteps, AnIterationStandsForAScan) {
    const auto outputs = outputs_after(model_with_scan(), inline_iterations, 0);
    expect_same(outputs.at(0), tensor_of<float>({2, 1}, {4, 8}));
}

TEST(BodySteps, UnreadPortsOfAScanFallOut) {
    const RandomModel model = model_with_scan();
    ASSERT_THAT(drop_results(Candidate(model)), SizeIs(2));
    const Tensor all = tensor_of<float>({2, 2}, {4, 2, 8, 6});
    for (const std::size_t edit : {0U, 1U}) {
        expect_same(outputs_after(model, drop_results, edit).at(0), all);
    }
}

// In random models with bodies: what a hoisted node makes is the same.
TEST(BodySteps, HoistingChangesNoNumber) {
    std::size_t tried = 0;
    for (std::uint64_t seed = 1; seed < 200; seed += 2) {
        const RandomModel model = random_model(seed);
        const auto edits = hoist_nodes(Candidate(model));
        if (edits.empty()) continue;
        Candidate candidate(model);
        edits.front()(candidate);
        EXPECT_EQ(run_difference(model, run_model(candidate.model(), "REFERENCE"),
                                 run_model(model, "REFERENCE")),
                  "")
            << "seed " << seed;
        ++tried;
    }
    EXPECT_GT(tried, 20U);
}

}  // namespace
}  // namespace rondo::test::body_steps_test
