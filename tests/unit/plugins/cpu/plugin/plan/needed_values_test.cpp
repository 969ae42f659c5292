#include "plugins/cpu/plugin/plan/needed_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::needed_values_test {
namespace {

using namespace test;
using ops::UnaryFunction;

NeededValues needed_of(const Program& program, const PlanKey& key) {
    return find_needed(program, key, walk_shapes(program, key));
}

TEST(NeededValues, WhatOpenStepsReadIsNeededLater) {
    const Program program = open_program();
    const PlanKey key = open_key(6);
    const ShapeWalk walk = walk_shapes(program, key);
    const NeededValues needed = find_needed(program, key, walk);
    EXPECT_EQ(needed.states[step_of(program, "twice")], StepState::runs);
    EXPECT_EQ(needed.states[step_of(program, "shape")], StepState::known);
    EXPECT_EQ(needed.states[step_of(program, "y")], StepState::open);
    EXPECT_TRUE(needed.later[value_of(program, "twice")]);
    EXPECT_TRUE(needed.later[program.parameters[1]]);
    EXPECT_FALSE(needed.later[value_of(program, "other")]);
    EXPECT_EQ(find_reads(walk, needed), std::vector<ValueId>{program.parameters[1]});
    EXPECT_TRUE(find_late(walk, needed).empty());
}

// One element decides two steps; a third one that nothing needs is not waited for.
TEST(NeededValues, ReadsAnElementOnce) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output stop = b.input("stop", "[1]", ElementType::i64);
    const Output unused = b.input("unused", "[1]", ElementType::i64);
    b.output("a", b.make<ops::Slice>("a", x, b.ints({0}), stop, b.ints({1})));
    b.output("b", b.make<ops::Slice>("b", x, stop, b.ints({9}), b.ints({1})));
    b.output("rank",
             b.make<ops::ShapeOf>(
                 "rank", b.make<ops::ShapeOf>("sizes", b.make<ops::Slice>("c", x, b.ints({0}),
                                                                          unused, b.ints({1})))));
    const Program program = program_of(b);
    const PlanKey key{{Shape{6}, Shape{1}, Shape{1}}};
    const ShapeWalk walk = walk_shapes(program, key);
    const auto reads = find_reads(walk, find_needed(program, key, walk));
    EXPECT_EQ(std::count(reads.begin(), reads.end(), program.parameters[1]), 1);
}

TEST(NeededValues, AVariableThatHasAValueNeedsNoInitInput) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    const Output init = unary(b, UnaryFunction::tanh, "init", x);
    const Output read = b.read("v", "[2]", {init});
    b.assign("v", b.make<ops::Binary>("next", ops::BinaryFunction::add, read, x));
    b.output("y", read);
    const Program program = program_of(b);
    const PlanKey start{{Shape{2}}, {std::nullopt}};
    EXPECT_EQ(needed_of(program, start).states[step_of(program, "init")], StepState::runs);
    const PlanKey kept{{Shape{2}}, {Shape{2}}};
    const NeededValues needed = needed_of(program, kept);
    EXPECT_EQ(needed.states[step_of(program, "init")], StepState::not_needed);
    EXPECT_EQ(needed.states[step_of(program, "read_v")], StepState::view);
}

}  // namespace
}  // namespace rondo::cpu::needed_values_test
