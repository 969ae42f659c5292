#include "transformations/lowering/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"

namespace rondo::passes::convert_tensor_iterator_to_loop_test {
namespace {

using namespace test;  // NOLINT: tests only

// A walk over x [5,2] along axis 0: the state is carried; all states are an output.
std::shared_ptr<Graph> walk(const ops::PartRange& range, bool reads_part, bool nested = false,
                            const ops::PartRange& joined = ops::PartRange{0}) {
    GraphBuilder body;
    const Output part = body.input("part", "[1,2]");
    const Output state = body.input("state", "[1,2]");
    Output next = add(body, state, reads_part ? part : body.constant(tensor_of<float>({1}, {1})));
    if (nested) {
        GraphBuilder inner;
        const Output row = inner.input("row", "[1,1]");
        inner.output("up", add(inner, row, row));
        next = body.make<ops::TensorIterator>(
                       "inner", std::vector<Output>{next}, inner.graph(),
                       ops::BodyPorts{{{0, 0, ops::PartRange{1}, {}}}, {{0, 0, ops::PartRange{1}}}})
                   ->output(0);
    }
    body.output("next", next);
    GraphBuilder b;
    const Output x = b.input("x", "[?,2]");
    const Output first = b.input("first", "[1,2]");
    const ops::BodyPorts ports{{{0, 0, range, {}}, {1, 1, {}, 0}}, {{0, 0, {}}, {1, 0, joined}}};
    const auto node =
        b.make<ops::TensorIterator>("walk", std::vector<Output>{x, first}, body.graph(), ports);
    b.output("last", node->output(0));
    b.output("all", node->output(1));
    return b.graph();
}

const ops::PartRange kForward{0};
const ops::PartRange kBackward{0, -1, -1, 1, 0};

//  x -> TensorIterator            x -> ShapeOf -> Gather -> Loop
//       [next = state + 1]   =>                             [next = state + 1]
TEST(ConvertTensorIteratorToLoop, WherePartsAreOnlyCounted) {
    for (const auto& range : {kForward, kBackward}) {
        const auto graph = walk(range, false);
        expect_rewritten(*graph, convert_tensor_iterator_to_loop);
        EXPECT_EQ(count_nodes(*graph, "Loop"), 1u);
        EXPECT_EQ(count_nodes(*graph, "TensorIterator"), 0u);
    }
}

// A walk over x [?,2] with two states. The second one, whose output nothing reads, adds the parts,
// to itself where `carries`. The first one counts, and adds the second where `reads_sum`.
std::shared_ptr<Graph> walk_of_two(bool carries, bool reads_sum) {
    GraphBuilder body;
    const Output part = body.input("part", "[1,2]");
    const Output state = body.input("state", "[1,2]");
    const Output sum = body.input("sum", "[1,2]");
    const Output next = add(body, state, body.constant(tensor_of<float>({1}, {1})));
    const Output next_sum = add(body, carries ? sum : state, part);
    body.output("next", reads_sum ? add(body, next, sum) : next);
    body.output("next_sum", next_sum);
    GraphBuilder b;
    const std::vector<Output> inputs{b.input("x", "[?,2]"), b.input("a", "[1,2]"),
                                     b.input("b", "[1,2]")};
    const ops::BodyPorts ports{{{0, 0, kForward, {}}, {1, 1, {}, 0}, {2, 2, {}, 1}},
                               {{0, 0, {}}, {1, 1, {}}}};
    const auto node = b.make<ops::TensorIterator>("walk", inputs, body.graph(), ports);
    b.output("last", node->output(0));
    return b.graph();
}

// OpenVINO drops outputs that nothing reads, and with them what they alone need.
TEST(ConvertTensorIteratorToLoop, WhereOnlyAnUnreadOutputNeedsTheParts) {
    for (const bool carries : {false, true}) {
        const auto graph = walk_of_two(carries, false);
        expect_rewritten(*graph, convert_tensor_iterator_to_loop);
        EXPECT_EQ(count_nodes(*graph, "Loop"), 1u);
    }
    // The next iteration reads the sum.
    expect_unchanged(*walk_of_two(true, true), convert_tensor_iterator_to_loop);
}

// OpenVINO's Loop reads and joins parts from the first to the last alone.
TEST(ConvertTensorIteratorToLoop, ReversesWhatIsReadOrJoinedBackwards) {
    for (const auto& range : {kForward, kBackward}) {
        for (const auto& joined : {kForward, kBackward}) {
            const auto graph = walk(range, true, true, joined);
            expect_rewritten(*graph, convert_tensor_iterator_to_loop);
            EXPECT_EQ(count_nodes(*graph, "Slice"),
                      (range == kBackward ? 1u : 0u) + (joined == kBackward ? 1u : 0u));
            for (const auto& node : graph->ordered_nodes()) {
                const auto* loop = as_op<ops::Loop>(*node);
                if (loop == nullptr) continue;
                EXPECT_EQ(loop->body_ports().inputs[0].slice, kForward);
                EXPECT_EQ(loop->body_ports().outputs[1].concat, kForward);
            }
        }
    }
}

TEST(ConvertTensorIteratorToLoop, AroundAnotherTensorIterator) {
    for (const auto& range : {kForward, kBackward}) {
        const auto graph = walk(range, true, true);
        expect_rewritten(*graph, convert_tensor_iterator_to_loop);
        EXPECT_EQ(count_nodes(*graph, "Loop"), 1u);
    }
}

TEST(ConvertTensorIteratorToLoop, LeavesOthers) {
    expect_unchanged(*walk(kForward, true), convert_tensor_iterator_to_loop);
    expect_unchanged(*walk(ops::PartRange{0, 0, 1, 1, 2}, false), convert_tensor_iterator_to_loop);
}

}  // namespace
}  // namespace rondo::passes::convert_tensor_iterator_to_loop_test
