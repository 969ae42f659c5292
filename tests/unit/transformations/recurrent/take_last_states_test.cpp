#include "transformations/recurrent/passes.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::take_last_states_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::Direction;

constexpr std::int64_t kEnd = 2147483647;

Output gather(GraphBuilder& b, const Output& data, std::int64_t index, std::int64_t axis) {
    return b.make<ops::Gather>("", data, b.constant(tensor_of<std::int64_t>({}, {index})),
                               b.ints({axis}));
}

Output slice(GraphBuilder& b, const Output& data, std::int64_t start, std::int64_t stop,
             std::int64_t axis) {
    return b.make<ops::Slice>("", data, b.ints({start}), b.ints({stop}), b.ints({1}),
                              b.ints({axis}));
}

// Takes a part of Y [N,D,T,3].
using Taking = std::function<Output(GraphBuilder&, const Output& y)>;

// x [T,N,4] -> GRUSequence -> Y -> the part -> Result
std::shared_ptr<Graph> reader(const Taking& take, const char* x = "[?,?,4]",
                              Direction direction = Direction::forward) {
    GraphBuilder b;
    const auto gru = make_gru(b, "gru", b.input("x", x), 4, 3, direction);
    b.output("last", take(b, gru->output(0)));
    return b.graph();
}

void expect_state_alone(Graph& graph) {
    expect_rewritten(graph, take_last_states);
    for (const auto& node : graph.ordered_nodes()) {
        if (node->type_name() != "GRUSequence") continue;
        EXPECT_TRUE(node->consumers(0).empty());
        EXPECT_FALSE(node->consumers(1).empty());
    }
}

//  Y [N,1,T,3] -> Squeeze -> [N,T,3] -> Gather(-1) -> [N,3]
TEST(TakeLastStates, ReadsHoInPlaceOfTheLastStepOfY) {
    const std::vector<Taking> forms{
        [](GraphBuilder& b, const Output& y) { return gather(b, b.squeeze(y, {1}), -1, 1); },
        [](GraphBuilder& b, const Output& y) { return gather(b, y, -1, 2); },
        [](GraphBuilder& b, const Output& y) {
            return gather(b, b.squeeze(b.transpose(y, {2, 1, 0, 3}), {1}), -1, 0);
        },
        [](GraphBuilder& b, const Output& y) {
            return b.squeeze(slice(b, b.squeeze(y, {1}), -1, kEnd, 1), {1});
        },
        [](GraphBuilder& b, const Output& y) {
            return b.squeeze(slice(b, y, -1, kEnd, 2), {2, 1});
        },
        [](GraphBuilder& b, const Output& y) {
            return gather(b, b.transpose(b.squeeze(y, {1}), {0, 2, 1}), -1, 2);
        },
        [](GraphBuilder& b, const Output& y) {
            return gather(b, b.transpose(b.squeeze(y, {1}), {2, 1, 0}), -1, 1);  // [3,N]
        },
        [](GraphBuilder& b, const Output& y) {
            ops::StridedSliceMasks masks;
            masks.begin = masks.end = {1, 0};
            masks.shrink_axis = {0, 1};
            return b.make<ops::StridedSlice>("", b.squeeze(y, {1}), b.ints({0, -1}), b.ints({0, 0}),
                                             b.ints({1, 1}), masks);
        },
        [](GraphBuilder& b, const Output& y) {
            return gather(b, b.reshape(b.transpose(y, {0, 2, 1, 3}), {0, 0, 3}), -1, 1);
        },
    };
    for (const Taking& form : forms) {
        expect_state_alone(*reader(form));
        expect_state_alone(*reader(form, "[5,2,4]"));
        expect_state_alone(*reader(form, "[1,1,4]"));
    }
}

TEST(TakeLastStates, FindsTheStepByNumberWhereTimeIsKnown) {
    expect_state_alone(
        *reader([](GraphBuilder& b, const Output& y) { return gather(b, y, 4, 2); }, "[5,?,4]"));
    expect_state_alone(
        *reader([](GraphBuilder& b, const Output& y) { return slice(b, y, 4, 5, 2); }, "[5,?,4]"));
    const Taking earlier = [](GraphBuilder& b, const Output& y) { return gather(b, y, 3, 2); };
    expect_unchanged(*reader(earlier, "[5,?,4]"), take_last_states);
    expect_unchanged(*reader(earlier), take_last_states);
}

TEST(TakeLastStates, TheLastStepOfAReverseLayerIsTheFirst) {
    const Taking first = [](GraphBuilder& b, const Output& y) { return gather(b, y, 0, 2); };
    const Taking last = [](GraphBuilder& b, const Output& y) { return gather(b, y, -1, 2); };
    expect_state_alone(*reader(first, "[?,?,4]", Direction::reverse));
    expect_unchanged(*reader(last, "[?,?,4]", Direction::reverse), take_last_states);
    expect_unchanged(*reader(first), take_last_states);
}

// Y [N,2,T,3] -> Transpose, Reshape -> [N,T,6] -> one step -> one half
TEST(TakeLastStates, TakesOneDirectionOfBoth) {
    const auto joined = [](GraphBuilder& b, const Output& y) {
        return b.reshape(b.transpose(y, {0, 2, 1, 3}), {0, 0, 6});
    };
    const std::vector<Taking> forms{
        [&](GraphBuilder& b, const Output& y) {
            return slice(b, gather(b, joined(b, y), -1, 1), 0, 3, 1);
        },
        [&](GraphBuilder& b, const Output& y) {
            return slice(b, gather(b, joined(b, y), 0, 1), 3, kEnd, 1);
        },
        [&](GraphBuilder& b, const Output& y) {
            return gather(b, slice(b, joined(b, y), 0, 3, 2), -1, 1);
        },
        [&](GraphBuilder& b, const Output& y) { return gather(b, gather(b, y, 1, 1), 0, 1); },
        [&](GraphBuilder& b, const Output& y) {
            const Output axis = b.constant(test::scalar_of<std::int64_t>(1));
            return Output(b.make<ops::Split>("", gather(b, joined(b, y), 0, 1), axis, 2), 1);
        },
        [&](GraphBuilder& b, const Output& y) {
            return Output(
                b.make<ops::VariadicSplit>("", gather(b, y, -1, 2), b.ints({1}), b.ints({1, 1})),
                0);
        },
    };
    for (const Taking& form : forms) {
        expect_state_alone(*reader(form, "[?,?,4]", Direction::bidirectional));
        expect_state_alone(*reader(form, "[5,2,4]", Direction::bidirectional));
    }
}

TEST(TakeLastStates, LeavesOtherParts) {
    const std::vector<Taking> forms{
        // both directions; the first step of the forward one; units of both
        [](GraphBuilder& b, const Output& y) { return gather(b, y, -1, 2); },
        [](GraphBuilder& b, const Output& y) { return gather(b, gather(b, y, 0, 1), 0, 1); },
        [](GraphBuilder& b, const Output& y) {
            return slice(b, gather(b, b.reshape(b.transpose(y, {0, 2, 1, 3}), {0, 0, 6}), -1, 1), 1,
                         4, 1);
        },
        // two steps; a row; a unit
        [](GraphBuilder& b, const Output& y) { return slice(b, gather(b, y, 0, 1), -2, kEnd, 1); },
        [](GraphBuilder& b, const Output& y) { return gather(b, gather(b, y, 0, 1), -1, 2); },
    };
    for (const Taking& form : forms) {
        expect_unchanged(*reader(form, "[?,2,4]", Direction::bidirectional), take_last_states);
    }
}

// Y [2,1,5,3] -> Gather([[0]]) -> [2,1,1,5,3] -> [2,5,3], which is all steps.
TEST(TakeLastStates, LeavesPartsWithAxesMore) {
    const Taking form = [](GraphBuilder& b, const Output& y) {
        const Output index = b.constant(tensor_of<std::int64_t>({1, 1}, {0}));
        const Output part = b.make<ops::Gather>("", y, index, b.ints({1}));
        return b.squeeze(part, {1, 2});
    };
    expect_unchanged(*reader(form, "[5,2,4]"), take_last_states);
}

TEST(TakeLastStates, LeavesASliceThatMayHoldNoStep) {
    const Taking form = [](GraphBuilder& b, const Output& y) { return slice(b, y, -1, kEnd, 2); };
    expect_unchanged(*reader(form), take_last_states);
    expect_state_alone(*reader(form, "[1..9,?,4]"));
}

TEST(TakeLastStates, LeavesRowsWithLengthsOfTheirOwn) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,?,4]");
    const auto gru = make_gru(b, "gru", x, 4, 3);
    gru->set_input(gru->lengths_port(), b.input("lengths", "[?]", ElementType::i64));
    gru->validate();
    b.output("last", gather(b, gru->output(0), -1, 2));
    expect_unchanged(*b.graph(), take_last_states);
}

}  // namespace
}  // namespace rondo::passes::take_last_states_test
