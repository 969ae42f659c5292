#include "plugins/cpu/plugin/plan/prepared_calls.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::prepared_calls_test {
namespace {

using namespace test;
using ops::UnaryFunction;

PreparedCalls prepared_of(const Program& program, const PlanKey& key) {
    ShapeWalk walk = walk_shapes(program, key);
    return prepare_calls(program, find_needed(program, key, walk), 1, walk);
}

TEST(PreparedCalls, ViewsLieInTheirInputs) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    const Output tanh = unary(b, UnaryFunction::tanh, "tanh", x);
    const Output rows =
        b.make<ops::Slice>("rows", tanh, b.ints({3}), b.ints({5}), b.ints({1}), b.ints({0}));
    const Output last =
        b.make<ops::Slice>("last", rows, b.ints({1}), b.ints({2}), b.ints({1}), b.ints({0}));
    b.output("y", unary(b, UnaryFunction::tanh, "y", last));
    const Program program = program_of(b);
    const PreparedCalls prepared = prepared_of(program, {{Shape{6, 2}}});
    const Alias& alias = prepared.aliases[value_of(program, "last")];
    EXPECT_EQ(alias.root, value_of(program, "tanh"));
    EXPECT_EQ(alias.offset, 4 * 2 * sizeof(float));
    ASSERT_EQ(prepared.calls.size(), 2u);
    EXPECT_EQ(prepared.calls[1].step, step_of(program, "y"));
    EXPECT_EQ(prepared.reports[step_of(program, "rows")].state, StepState::view);
    EXPECT_EQ(prepared.reports[step_of(program, "y")].state, StepState::runs);
}

TEST(PreparedCalls, OpenStepsHaveNoCall) {
    const Program program = open_program();
    const PreparedCalls prepared = prepared_of(program, open_key(6));
    for (const PreparedCall& call : prepared.calls) {
        EXPECT_NE(call.step, step_of(program, "head"));
        EXPECT_NE(call.step, step_of(program, "y"));
    }
    EXPECT_EQ(prepared.calls.size(), 2u);
    EXPECT_EQ(prepared.reports.size(), program.steps.size());
    EXPECT_EQ(prepared.reports[step_of(program, "y")].state, StepState::open);
}

}  // namespace
}  // namespace rondo::cpu::prepared_calls_test
