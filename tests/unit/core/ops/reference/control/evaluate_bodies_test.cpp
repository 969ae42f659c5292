#include "core/ops/reference/control/evaluate_bodies.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/mystery_op.hpp"

namespace rondo::evaluate_bodies_test {
namespace {

using namespace test;  // NOLINT: tests only

// The loop of count_loop() walks the rows of x, too.
std::shared_ptr<Graph> slicing_loop() {
    GraphBuilder body, builder;
    body.input("row", "...");
    body.output("more", flag(body, true));
    body.output("row_out", body.graph()->parameters()[0]);
    const std::vector<Output> inputs{builder.input("n", "", ElementType::i64), flag(builder, true),
                                     builder.input("x", "?,2")};
    const auto loop = builder.make<ops::Loop>(
        "loop", inputs, body.graph(),
        ops::BodyPorts{{{2, 0, ops::PartRange{}, {}}}, {{0, 1, ops::PartRange{}}}},
        ops::LoopPorts{{}, 0});
    builder.output("y", loop->output(0));
    return builder.graph();
}

TEST(EvaluateBodies, AnIterationNeedsAPart) {
    const Tensor x = tensor_of<float>({2, 2}, {1, 2, 3, 4});
    expect_same(evaluate_graph(*slicing_loop(), {scalar_of<std::int64_t>(2), x})[0], x);
    expect_error<ModelError>(
        [&] {
            evaluate_graph(*slicing_loop(), {scalar_of<std::int64_t>(3), x});
        },
        "node 'loop' (Loop): input 2 has 2 parts; iteration 2 needs another one");
}

// x doubles its rows in each iteration, so the second part has another shape than the first.
TEST(EvaluateBodies, JoinedPartsHaveOneShape) {
    GraphBuilder body, builder;
    const Output x = body.input("x", "...");
    body.output("more", flag(body, true));
    body.output("next", body.make<ops::Concat>("", std::vector<Output>{x, x}, 1));
    const std::vector<Output> inputs{builder.input("n", "", ElementType::i64), flag(builder, true),
                                     builder.input("x", "1,?")};
    const auto loop = builder.make<ops::Loop>(
        "loop", inputs, body.graph(),
        ops::BodyPorts{{{2, 0, {}, 1}}, {{0, 1, {}}, {1, 1, ops::PartRange{}}}},
        ops::LoopPorts{{}, 0});
    builder.output("y", loop->output(0));
    const auto run = [&](std::int64_t trips) {
        return evaluate_graph(*builder.graph(),
                              {scalar_of<std::int64_t>(trips), tensor_of<float>({1, 1}, {7})});
    };
    EXPECT_EQ(run(1)[0].shape(), (Shape{1, 2}));
    expect_error<ModelError>([&] { run(2); }, "output 1 is joined from shapes [1,2] and [1,4]");
}

TEST(EvaluateBodies, CanBeStoppedBetweenNodesOfABody) {
    const auto graph = count_loop();
    const std::vector<Tensor> inputs{scalar_of<std::int64_t>(-1), scalar_of<bool>(true),
                                     tensor_of<float>({3}, {1, 2, 3}),
                                     scalar_of<std::int64_t>(1000000)};
    int calls = 0;
    expect_error<CancelledError>(
        [&] {
            reference::evaluate(find<ops::Loop>(*graph, "loop"), inputs, [&] {
                if (++calls == 100) throw CancelledError("enough");
            });
        },
        "enough");
}

TEST(EvaluateBodies, FindsTheNodeThatCannotBeEvaluated) {
    GraphBuilder yes, no, builder;
    yes.output("y", yes.input("x", "3"));
    no.output("y", no.make<Mystery>("strange", std::vector<Output>{no.input("x", "3")}));
    const std::vector<Output> inputs{flag(builder, true), builder.input("x", "3")};
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}}};
    const auto node =
        builder.make<ops::If>("choice", inputs, std::vector<GraphPtr>{yes.graph(), no.graph()},
                              std::vector<ops::BodyPorts>{ports, ports});
    const Node* found = reference::find_unevaluable(*node);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->name(), "strange");
    EXPECT_EQ(reference::find_unevaluable(find<ops::Loop>(*count_loop(), "loop")), nullptr);
}

}  // namespace
}  // namespace rondo::evaluate_bodies_test
