#include "transformations/recurrent/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"
#include "transformations/simplify/passes.hpp"

namespace rondo::passes::fuse_reverse_into_sequence_test {
namespace {

using namespace test;  // NOLINT: tests only

// All rows of x reversed along the time axis.
Output reversed(GraphBuilder& b, const Output& x, std::int64_t batch_axis, std::int64_t time_axis,
                std::int64_t length_axis) {
    const Output lengths =
        b.make<ops::Broadcast>("", extent_of(b, x, length_axis), extent_of(b, x, batch_axis));
    return b.make<ops::ReverseSequence>("", x, lengths, batch_axis, time_axis);
}

Output sliced_backward(GraphBuilder& b, const Output& x, std::int64_t time_axis) {
    return b.make<ops::Slice>("", x, b.ints({-1}), b.ints({-2147483648}), b.ints({-1}),
                              b.ints({time_axis}));
}

struct Form {
    const char* x = "[?,?,4]";
    bool turns_back = true;
    bool moves_y = false;  // to [T,N,H]
    bool reads_y = true;
    std::int64_t length_axis = 0;  // of x, where the lengths are read from
    ops::Direction direction = ops::Direction::forward;
    bool by_slice = false;
};

std::shared_ptr<Graph> reversed_gru(const Form& form) {
    GraphBuilder b;
    const Output x = b.input("x", form.x);
    const auto turned = [&](const Output& value, std::int64_t time, std::int64_t length) {
        return form.by_slice ? sliced_backward(b, value, time)
                             : reversed(b, value, 1 - time, time, length);
    };
    const auto gru = make_gru(b, "gru", turned(x, 0, form.length_axis), 4, 3, form.direction);
    b.output("last", b.squeeze(gru->output(1), {1}));
    if (!form.reads_y) return b.graph();
    Output y = b.squeeze(gru->output(0), {1});
    if (form.moves_y) y = b.transpose(y, {1, 0, 2});
    if (form.turns_back) {
        y = form.moves_y ? turned(y, 0, 0) : turned(y, 1, 1);
    }
    b.output("all", b.transpose(y, {0, 2, 1}));
    return b.graph();
}

TEST(TakeInReversals, RunsTheSequenceInTheOtherDirection) {
    std::vector<Form> forms(8);
    forms[5].by_slice = forms[6].by_slice = forms[7].by_slice = true;
    forms[6].x = "[5,2,4]";
    forms[7].moves_y = true;
    forms[1].x = "[5,2,4]";
    forms[2].moves_y = true;
    forms[3].reads_y = false;
    forms[4].direction = ops::Direction::reverse;
    for (const Form& form : forms) {
        const auto graph = reversed_gru(form);
        expect_rewritten(*graph, fuse_reverse_into_sequence);
        simplify_extents(*graph);  // the shapes of what was reversed
        graph->validate();
        EXPECT_EQ(count_nodes(*graph, "ReverseSequence"), 0u);
        EXPECT_EQ(count_nodes(*graph, "Slice"), 0u);
    }
}

TEST(TakeInReversals, LeavesWhatIsNotTurnedBackOrNotWhole) {
    Form stays, part;
    stays.turns_back = false;
    expect_unchanged(*reversed_gru(stays), fuse_reverse_into_sequence);
    part.length_axis = 1;
    part.reads_y = false;
    expect_unchanged(*reversed_gru(part), fuse_reverse_into_sequence);
    Form both;
    both.direction = ops::Direction::bidirectional;
    both.reads_y = false;
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    const auto gru = make_gru(b, "gru", reversed(b, x, 1, 0, 0), 4, 3, both.direction);
    b.output("last", gru->output(1));
    expect_unchanged(*b.graph(), fuse_reverse_into_sequence);
}

}  // namespace
}  // namespace rondo::passes::fuse_reverse_into_sequence_test
