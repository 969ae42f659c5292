#include "plugins/cpu/plugin/plan/planned_program.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::planner_test {
namespace {

using namespace test;
using Base = Place::Base;

TEST(Planner, CutsWhereAShapeDependsOnElements) {
    const Program program = open_program();
    const auto first = make_plan(program, open_key(6), 1);
    EXPECT_FALSE(first->is_last());
    ASSERT_EQ(first->end.reads.size(), 1u);
    EXPECT_EQ(first->end.reads[0].value, program.parameters[1]);
    EXPECT_EQ(first->end.reads[0].bytes, sizeof(std::int64_t));
    EXPECT_EQ(first->places[first->end.reads[0].place].base, Base::input);

    const auto second = make_plan(program, key_behind(first, 4), 1);
    EXPECT_TRUE(second->is_last());
    EXPECT_EQ(second->end.segments, 2u);
    EXPECT_GE(second->arena_bytes, first->arena_bytes);
    EXPECT_EQ(second->outputs.at(0).info.shape, Shape{4});
    const StepReport& head = second->reports.at(0);  // the first step that isn't settled
    EXPECT_EQ(head.step, step_of(program, "head"));
    EXPECT_EQ(head.state, StepState::view);
}

// What the second segment reads stays where the first one has put it.
TEST(Planner, ALaterSegmentReadsKeptPlaces) {
    const Program program = open_program();
    const auto first = make_plan(program, open_key(6), 1);
    const auto second = make_plan(program, key_behind(first, 4), 1);
    ASSERT_EQ(second->calls.size(), 1u);
    const Place& input = second->places[second->calls[0].first_place];
    EXPECT_EQ(input.base, Base::arena);
    ASSERT_EQ(first->end.buffers.size(), 1u);
    EXPECT_EQ(input.offset, first->end.buffers[0].offset);
    const Place& output = second->places[second->calls[0].first_place + 1];
    EXPECT_EQ(output.base, Base::output);
    EXPECT_EQ(output.index, 0u);
}

// x[start:stop], both given in each run: the next segment follows from the length alone.
TEST(Planner, AWindowIsPlannedByItsLength) {
    GraphBuilder b;
    const Output x = b.input("x", "[8]");
    const Output start = b.input("start", "[1]", ElementType::i64);
    const Output stop = b.input("stop", "[1]", ElementType::i64);
    const Output window = b.make<ops::Slice>("window", x, start, stop, b.ints({1}));
    b.output("y", unary(b, ops::UnaryFunction::tanh, "y", window));
    b.output("z", unary(b, ops::UnaryFunction::tanh, "z", x));
    const Program program = program_of(b);
    const auto first = make_plan(program, {{Shape{8}, Shape{1}, Shape{1}}}, 1);
    EXPECT_FALSE(first->is_last());
    EXPECT_TRUE(first->end.reads.empty());
    ASSERT_EQ(first->end.extent_steps.size(), 1u);
    const ExtentStep& found = first->end.extent_steps[0];
    EXPECT_EQ(found.step, step_of(program, "window"));
    EXPECT_EQ(first->end.extent_outputs, 1u);
    const std::int64_t numbers[] = {-5, 6, 1};
    const void* const inputs[] = {nullptr, &numbers[0], &numbers[1], &numbers[2]};
    std::vector<Shape> shapes(1);
    found.finder(inputs, shapes);
    EXPECT_EQ(shapes[0], Shape{3});

    PlanKey key = first->key;
    key.before = first;
    key.extents = shapes;
    const auto second = make_plan(program, key, 1);
    EXPECT_TRUE(second->is_last());
    EXPECT_EQ(second->outputs.at(0).info.shape, Shape{3});
    ASSERT_EQ(second->calls.size(), 2u);  // the window and tanh
    const Place& begin = second->places[second->calls[0].first_place + 1];
    EXPECT_EQ(begin.base, Base::input);
    EXPECT_EQ(begin.index, 1u);
}

// A value that also decides another shape is read as it is.
TEST(Planner, AWindowBesideACutKeepsItsExtents) {
    GraphBuilder b;
    const Output x = b.input("x", "[8]");
    const Output start = b.input("start", "[1]", ElementType::i64);
    const Output stop = b.input("stop", "[1]", ElementType::i64);
    b.output("y", b.make<ops::Slice>("window", x, start, stop, b.ints({1})));
    b.output("z", b.make<ops::Slice>("head", x, b.ints({0}), stop, b.ints({1})));
    const Program program = program_of(b);
    const auto first = make_plan(program, {{Shape{8}, Shape{1}, Shape{1}}}, 1);
    ASSERT_EQ(first->end.reads.size(), 1u);
    EXPECT_EQ(first->end.reads[0].value, program.parameters[2]);
    EXPECT_EQ(first->end.extent_steps.size(), 1u);
}

TEST(Planner, ClosedProgramsHaveOneSegment) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    b.output("y", unary(b, ops::UnaryFunction::tanh, "y", x));
    const auto plan = make_plan(program_of(b), {{Shape{3}}}, 1);
    EXPECT_TRUE(plan->is_last());
    EXPECT_EQ(plan->calls.size(), 1u);
    EXPECT_TRUE(plan->copies.empty());
    EXPECT_EQ(plan->bound_places.size(), 2u);
}

TEST(Planner, RefusesMoreMemoryThanThereIsBehindACutToo) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,1]");
    const Output stop = b.input("stop", "[1]", ElementType::i64);
    const Output row = b.input("row", "[1,?]");
    const Output head = b.make<ops::Slice>("head", x, b.ints({0}), stop, b.ints({1}), b.ints({0}));
    b.output("y", b.make<ops::Binary>("outer", ops::BinaryFunction::add, head, row));
    const Program program = program_of(b);
    const std::size_t side = std::size_t{1} << 21;
    const PlanKey key{{Shape{side, 1}, Shape{1}, Shape{1, side}}};
    const auto first = make_plan(program, key, 1);
    expect_error<ModelError>(
        [&] { make_plan(program, key_behind(first, static_cast<std::int64_t>(side)), 1); },
        "node 'outer' (Add): the output of shape [2097152,2097152] is too large");
    EXPECT_TRUE(make_plan(program, key_behind(first, 1), 1)->is_last());
}

}  // namespace
}  // namespace rondo::cpu::planner_test
