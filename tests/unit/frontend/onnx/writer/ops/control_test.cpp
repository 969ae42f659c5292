// Ops with bodies: written as If, Loop and Scan and read again.
#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/onnx.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/frontend/onnx/writer/round_trip.hpp"

namespace rondo::test::control_test {
namespace {

Tensor numbers(const Shape& shape) {
    static Rng rng = test_rng();
    return random_tensor(ElementType::f32, shape, rng);
}

TEST(OnnxWriterControl, WritesIf) {
    const auto graph = choice();
    EXPECT_EQ(operators_of(*graph), "If");
    for (const bool condition : {true, false}) {
        expect_round_trip(*graph, {scalar_of(condition), numbers({2, 3}), numbers({2, 3})});
    }
}

TEST(OnnxWriterControl, BranchesMayReturnInputsAndConstants) {
    GraphBuilder yes, no;
    const Output given = yes.input("given", "2");
    yes.output("same", given);
    yes.output("again", given);
    const Output constant = no.constant(tensor_of<float>({2}, {3, 4}));
    no.output("constant", constant);
    no.output("twice", constant);
    GraphBuilder builder;
    const std::vector<Output> inputs{builder.input("c", "", ElementType::boolean),
                                     builder.input("x", "2")};
    const auto node = builder.make<ops::If>(
        "choice", inputs, std::vector<GraphPtr>{yes.graph(), no.graph()},
        std::vector<ops::BodyPorts>{{{{1, 0, {}, {}}}, {{0, 0, {}}, {1, 1, {}}}},
                                    {{}, {{0, 0, {}}, {1, 1, {}}}}});
    builder.output("a", node->output(0));
    builder.output("b", node->output(1));
    for (const bool condition : {true, false}) {
        expect_round_trip(*builder.graph(), {scalar_of(condition), numbers({2})});
    }
}

TEST(OnnxWriterControl, WritesLoopsThatEndByACondition) {
    const auto graph = count_loop();
    for (const std::int64_t trips : {3, 10, -1}) {
        for (const std::int64_t left : {4, 1}) {
            expect_round_trip(*graph,
                              {scalar_of(trips), scalar_of(true), numbers({3}), scalar_of(left)});
        }
    }
    expect_round_trip(*graph, {scalar_of<std::int64_t>(3), scalar_of(false), numbers({3}),
                               scalar_of<std::int64_t>(2)});
}

TEST(OnnxWriterControl, WritesTensorIteratorsAsScan) {
    for (const bool reversed : {false, true}) {
        const auto graph = running_sum(reversed);
        EXPECT_EQ(operators_of(*graph), "Scan");
        expect_round_trip(*graph, {numbers({3, 5, 2}), numbers({3, 2})});
    }
}

// The body sums part_size elements of axis 0; outputs: the last sums, all of them, all parts.
std::shared_ptr<Graph> parts_graph(const ops::PartRange& range, bool open) {
    GraphBuilder body;
    const std::string extent = std::to_string(range.part_size);
    const Output part = body.input("part", extent + ",2");
    const Output whole = body.input("whole", "2");
    const Output sum = add(body, part, whole);
    body.output("sum", sum);
    body.output("moved", body.transpose(sum, {1, 0}));
    ops::PartRange all = range;
    all.start = range.is_reversed() ? -1 : 0;
    all.end = range.is_reversed() ? 0 : -1;
    ops::PartRange columns = all;
    columns.axis = 1;
    const ops::BodyPorts ports{{{0, 0, range, {}}, {1, 1, {}, {}}},
                               {{0, 0, {}}, {1, 0, all}, {2, 1, columns}}};
    GraphBuilder builder;
    const std::vector<Output> inputs{builder.input("x", open ? "?,2" : "6,2"),
                                     builder.input("y", "2")};
    const auto node = builder.make<ops::TensorIterator>("walk", inputs, body.graph(), ports);
    builder.output("last", node->output(0));
    builder.output("rows", node->output(1));
    builder.output("columns", node->output(2));
    return builder.graph();
}

TEST(OnnxWriterControl, WritesLargerPartsAndPartialRangesAsLoop) {
    for (const ops::PartRange& range :
         {ops::PartRange{0, 0, 2, 2, -1}, ops::PartRange{0, -1, -3, 3, 0},
          ops::PartRange{0, 1, 1, 1, -2}, ops::PartRange{0, -2, -1, 1, 1},
          ops::PartRange{0, 0, 3, 3, 5}}) {
        for (const bool open : {false, true}) {
            const auto graph = parts_graph(range, open);
            EXPECT_NE(operators_of(*graph).find("Loop"), std::string::npos);
            expect_round_trip(*graph, {numbers({6, 2}), numbers({2})});
        }
    }
}

TEST(OnnxWriterControl, KeepsTheLastResultOfAScanThatNothingCarries) {
    const auto graph = parts_graph({0, 0, 1, 1, -1}, true);
    EXPECT_EQ(operators_of(*graph), "Scan Gather");
    expect_round_trip(*graph, {numbers({6, 2}), numbers({2})});
}

TEST(OnnxWriterControl, WritesBodiesInBodies) {
    GraphBuilder body;
    const Output x = body.input("bx", "3");
    const Output outer = body.input("outer", "", ElementType::i64);
    const Output go = body.constant(scalar_of(true));
    GraphBuilder inner;
    inner.output("next", add(inner, inner.input("ix", "3"), inner.constant(scalar_of(2.0F))));
    const auto node =
        body.make<ops::Loop>("inner", std::vector<Output>{outer, go, x}, inner.graph(),
                             ops::BodyPorts{{{2, 0, {}, 0}}, {{0, 0, {}}}}, ops::LoopPorts{});
    body.output("next", node->output(0));
    GraphBuilder builder;
    const std::vector<Output> inputs{i64(builder, 3), flag(builder, true), builder.input("x", "3"),
                                     builder.input("n", "", ElementType::i64)};
    const auto loop = builder.make<ops::Loop>(
        "outer", inputs, body.graph(),
        ops::BodyPorts{{{2, 0, {}, 0}, {3, 1, {}, {}}}, {{0, 0, {}}}}, ops::LoopPorts{});
    builder.output("y", loop->output(0));
    expect_round_trip(*builder.graph(), {numbers({3}), scalar_of<std::int64_t>(2)});
}

TEST(OnnxWriterControl, RefusesNodesOfBodiesInOneMessage) {
    GraphBuilder yes, no;
    const Output x = yes.input("yes_x", "2,3");
    const Output order = yes.input("order", "2", ElementType::i64);
    yes.output("moved", yes.make<ops::Transpose>("move", x, order));
    const Output no_x = no.input("no_x", "2,3");
    const Output no_order = no.input("no_order", "2", ElementType::i64);
    no.output("moved", no.make<ops::Transpose>("back", no_x, no_order));
    GraphBuilder builder;
    const std::vector<Output> inputs{builder.input("c", "", ElementType::boolean),
                                     builder.input("x", "2,3"),
                                     builder.input("o", "2", ElementType::i64)};
    const std::vector<ops::BodyPorts> ports(2, {{{1, 0, {}, {}}, {2, 1, {}, {}}}, {{0, 0, {}}}});
    const auto node = builder.make<ops::If>("choice", inputs,
                                            std::vector<GraphPtr>{yes.graph(), no.graph()}, ports);
    builder.output("y", node->output(0));
    const auto graph = builder.graph();
    expect_error<UnsupportedError>([&] { onnx::to_bytes(*graph); },
                                   "ONNX can't say 2 nodes: node 'move' (Transpose): the axes' "
                                   "order (input 1) are known only when the model runs");
}

}  // namespace
}  // namespace rondo::test::control_test
