#include "plugins/cpu/plugin/plan/buffers.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::buffers_test {
namespace {

using namespace test;
using ops::UnaryFunction;

// The phases up to the buffers.
struct Phases {
    Phases(const Program& program, const PlanKey& key)
        : walk(walk_shapes(program, key)),
          needed(find_needed(program, key, walk)),
          prepared(prepare_calls(program, needed, 1, walk)),
          buffers(choose_buffers(program, key, walk, needed, prepared)),
          ends(bind_ends(program, key, walk, prepared, buffers)) {}

    const Buffer& buffer_of(ValueId id) const { return buffers.list[buffers.of_value[id].value()]; }

    ShapeWalk walk;
    NeededValues needed;
    PreparedCalls prepared;
    Buffers buffers;
    Ends ends;
};

TEST(Buffers, LiveFromTheirCallToTheLastOneThatReadsThem) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output first = unary(b, UnaryFunction::tanh, "first", x);
    const Output second = unary(b, UnaryFunction::tanh, "second", first);
    const Output third = unary(b, UnaryFunction::tanh, "third", second);
    b.output("y", b.make<ops::Binary>("y", ops::BinaryFunction::add, first, third));
    const Program program = program_of(b);
    const Phases phases(program, {{Shape{6}}});
    const std::size_t calls = phases.prepared.calls.size();
    for (const char* name : {"first", "second", "third"}) {
        const auto buffer = phases.buffers.of_value[value_of(program, name)];
        if (!buffer) continue;  // a pass of the plan may have joined them
        const Lifetime& lifetime = phases.buffers.list[*buffer].lifetime;
        EXPECT_EQ(lifetime.bytes, 6 * sizeof(float));
        EXPECT_LT(lifetime.first, calls);
        EXPECT_LE(lifetime.first, lifetime.last);
    }
    EXPECT_EQ(phases.buffer_of(value_of(program, "first")).lifetime.first, 0u);
    EXPECT_EQ(phases.buffer_of(value_of(program, "first")).lifetime.last, 3u);
    EXPECT_EQ(phases.buffer_of(value_of(program, "second")).lifetime.last, 2u);
    EXPECT_EQ(phases.buffers.first_scratch + calls, phases.buffers.list.size());
}

TEST(Buffers, OfALaterSegmentsInputsLiveToTheEnd) {
    const Program program = open_program();
    const Phases phases(program, open_key(6));
    const std::size_t calls = phases.prepared.calls.size();
    EXPECT_EQ(phases.buffer_of(value_of(program, "twice")).lifetime.last, calls);
    EXPECT_EQ(phases.buffers.kept_count, 0u);

    const auto first = make_plan(program, open_key(6), 1);
    const Phases second(program, key_behind(first, 4));
    ASSERT_EQ(second.buffers.kept_count, 1u);
    EXPECT_EQ(second.buffers.of_value[value_of(program, "twice")], 0u);
    EXPECT_EQ(second.buffers.list[0].lifetime.offset, first->end.buffers[0].offset);
}

TEST(Buffers, WholeResultsAreWrittenInPlaceAndOthersCopied) {
    GraphBuilder b;
    const Output x = b.input("x", "[?]");
    const Output tanh = unary(b, UnaryFunction::tanh, "tanh", x);
    b.output("x", x);
    b.output("tanh", tanh);
    b.output("again", tanh);
    b.output("head", b.make<ops::Slice>("head", tanh, b.ints({0}), b.ints({2}), b.ints({1})));
    const Program program = program_of(b);
    const Phases phases(program, {{Shape{6}}});
    const Place& target = phases.buffer_of(value_of(program, "tanh")).target;
    EXPECT_EQ(target.base, Place::Base::output);
    EXPECT_EQ(target.index, 1u);
    ASSERT_EQ(phases.ends.copies.size(), 3u);
    const std::vector<ValueId> copied{program.parameters[0], value_of(program, "tanh"),
                                      value_of(program, "head")};
    EXPECT_EQ(phases.ends.copied, copied);
    EXPECT_EQ(phases.ends.outputs.size(), 4u);
    EXPECT_EQ(phases.ends.bytes, (6 + 6 + 6 + 2) * sizeof(float));
}

TEST(Buffers, EachSegmentBindsTheResultsThatItSettles) {
    const Program program = open_program();
    const Phases first(program, open_key(6));
    ASSERT_EQ(first.ends.outputs.size(), 2u);
    EXPECT_EQ(first.ends.outputs[0].index, 1u);
    EXPECT_EQ(first.ends.outputs[1].index, 2u);
    const Phases second(program, key_behind(make_plan(program, open_key(6), 1), 4));
    ASSERT_EQ(second.ends.outputs.size(), 1u);
    EXPECT_EQ(second.ends.outputs[0].index, 0u);
    EXPECT_EQ(second.ends.bytes, first.ends.bytes + 4 * sizeof(float));
}

}  // namespace
}  // namespace rondo::cpu::buffers_test
