// Choices and loops that have run with some shapes run with them again without allocating or
// locking, whether their shapes are known before the run or found by it.
#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "rondo/core.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/rng.hpp"
#include "tests/unit/plugins/cpu/plugin/run/allocation_counter.hpp"
#include "tests/unit/plugins/cpu/plugin/run/lock_counter.hpp"

namespace rondo::test::steady_bodies_test {
namespace {

using InputSets = std::vector<std::vector<Tensor>>;

// Runs with each set of inputs in turn; the first rounds may allocate and lock.
void expect_steady(const std::shared_ptr<Graph>& graph, const InputSets& sets) {
    for (const char* profile : {"NO", "YES"}) {
        CompiledModel model = Core().compile_model(
            Model(graph), "CPU",
            {{property::kInferenceNumThreads, "1"}, {property::kPerfCount, profile}});
        InferRequest request = model.create_infer_request();
        const auto round = [&] {
            for (const auto& inputs : sets) {
                for (std::size_t i = 0; i < inputs.size(); ++i) {
                    request.set_input_tensor(i, inputs[i]);
                }
                request.infer();
            }
        };
        for (int i = 0; i < 6; ++i) round();
        const long allocations = allocation_count();
        const long locks = lock_count();
        for (int i = 0; i < 6; ++i) round();
        EXPECT_EQ(allocation_count() - allocations, 0) << "profile " << profile;
        EXPECT_EQ(lock_count() - locks, 0) << "profile " << profile;
    }
}

Tensor floats(const Shape& shape) {
    static Rng rng = test_rng();
    return random_tensor(ElementType::f32, shape, rng);
}

TEST(SteadyBodies, Choices) {
    const Tensor x = floats({2, 3});
    expect_steady(choice(), {{scalar_of<bool>(true), x, x}, {scalar_of<bool>(false), x, x}});
}

TEST(SteadyBodies, ChoicesOfTwoShapes) {
    const Tensor x = floats({1, 3});
    const Tensor y = floats({2, 3});
    expect_steady(choice(), {{scalar_of<bool>(true), x, y}, {scalar_of<bool>(false), x, y}});
}

TEST(SteadyBodies, WalksOverParts) {
    for (const bool reversed : {false, true}) {
        expect_steady(running_sum(reversed),
                      {{floats({1, 5, 2}), floats({1, 2})}, {floats({3, 4, 2}), floats({3, 2})}});
    }
}

std::vector<Tensor> count_inputs(std::int64_t trips, std::int64_t left) {
    return {scalar_of<std::int64_t>(trips), scalar_of<bool>(true), floats({3}),
            scalar_of<std::int64_t>(left)};
}

// The condition decides how many rows are joined.
TEST(SteadyBodies, LoopsThatEndByACondition) {
    expect_steady(count_loop(), {count_inputs(40, 30), count_inputs(40, 7), count_inputs(5, 9)});
}

// x and one more row of it in each iteration.
std::shared_ptr<Graph> growing_loop() {
    GraphBuilder body, builder;
    const Output x = body.input("x", "...");
    const Output row = body.input("row", "1,2");
    body.output("more", flag(body, true));
    body.output("next", body.make<ops::Concat>("", std::vector<Output>{x, row}, 0));
    const std::vector<Output> inputs{builder.input("n", "", ElementType::i64), flag(builder, true),
                                     builder.input("x", "1,2")};
    const auto loop = builder.make<ops::Loop>(
        "loop", std::vector<Output>{inputs[0], inputs[1], inputs[2], inputs[2]}, body.graph(),
        ops::BodyPorts{{{2, 0, {}, 1}, {3, 1, {}, {}}}, {{0, 1, {}}}}, ops::LoopPorts{{}, 0});
    builder.output("y", loop->output(0));
    return builder.graph();
}

TEST(SteadyBodies, LoopsWhoseValuesGrow) {
    expect_steady(growing_loop(), {{scalar_of<std::int64_t>(300), floats({1, 2})},
                                   {scalar_of<std::int64_t>(3), floats({1, 2})}});
}

// Parts along an axis that isn't the first one, and from the end, of a body whose shapes are open.
TEST(SteadyBodies, WalksWhoseShapesOnlyARunFinds) {
    for (const bool reversed : {false, true}) {
        GraphBuilder body, builder;
        const Output part = body.input("part", "?,1,2");
        const Output first = body.input("first", "...");
        body.output("grown", body.make<ops::Concat>("", std::vector<Output>{first, part}, 1));
        body.output("twice", add(body, part, part));
        const ops::PartRange range = reversed ? ops::PartRange{1, -1, -1, 1, 0} : ops::PartRange{1};
        const ops::BodyPorts ports{{{0, 0, range, {}}, {1, 1, {}, 0}}, {{0, 0, {}}, {1, 1, range}}};
        const std::vector<Output> inputs{builder.input("x", "?,?,2"), builder.input("h0", "?,?,2")};
        const auto node = builder.make<ops::TensorIterator>("walk", inputs, body.graph(), ports);
        builder.output("last", node->output(0));
        builder.output("all", node->output(1));
        expect_steady(builder.graph(), {{floats({2, 5, 2}), floats({2, 1, 2})},
                                        {floats({3, 3, 2}), floats({3, 2, 2})}});
    }
}

}  // namespace
}  // namespace rondo::test::steady_bodies_test
