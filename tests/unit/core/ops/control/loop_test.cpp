#include "core/ops/control/control_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::loop_test {
namespace {

using namespace test;  // NOLINT: tests only

// The loop of count_loop() with constants for trip count and condition.
std::string shapes_of(std::optional<std::int64_t> trips, std::optional<bool> condition) {
    const auto graph = count_loop();
    auto& loop = find<ops::Loop>(*graph, "loop");
    GraphBuilder builder;
    if (trips) loop.set_input(0, i64(builder, *trips));
    if (condition) loop.set_input(1, flag(builder, *condition));
    loop.validate();
    return to_string(loop.output_shape(0)) + " " + to_string(loop.output_shape(1));
}

// A body that decides with a constant, or hands on the condition it gets.
std::shared_ptr<ops::Loop> simple_loop(std::optional<bool> further, std::int64_t trips) {
    GraphBuilder body, builder;
    const Output x = body.input("x", "3");
    const Output c = body.input("c", "", ElementType::boolean);
    body.output("more", further ? flag(body, *further) : c);
    body.output("row", body.unsqueeze(x, {0}));
    const std::vector<Output> inputs{i64(builder, trips), flag(builder, true),
                                     builder.input("x", "3"), flag(builder, true)};
    return builder.make<ops::Loop>(
        "loop", inputs, body.graph(),
        ops::BodyPorts{{{2, 0, {}, {}}, {3, 1, {}, 0}}, {{0, 1, ops::PartRange{}}}},
        ops::LoopPorts{{}, 0});
}

std::vector<Tensor> run(std::int64_t trips, bool condition, std::int64_t left) {
    return evaluate_graph(*count_loop(),
                          {scalar_of<std::int64_t>(trips), scalar_of<bool>(condition),
                           tensor_of<float>({3}, {1, 2, 3}), scalar_of<std::int64_t>(left)});
}

TEST(Loop, IsInTheList) { EXPECT_EQ(ops::find_op("Loop", "opset5")->type, &ops::Loop::kType); }

TEST(Loop, InfersHowManyRowsThereAre) {
    EXPECT_EQ(shapes_of({}, {}), "[3] [?,3]");
    EXPECT_EQ(shapes_of(4, true), "[3] [1..,3]");
    EXPECT_EQ(shapes_of(0, {}), "[3] [0,3]");
    EXPECT_EQ(shapes_of({}, false), "[3] [0,3]");
    EXPECT_EQ(to_string(simple_loop(true, 4)->output_shape(0)), "[4,3]");
    EXPECT_EQ(to_string(simple_loop(false, 4)->output_shape(0)), "[1,3]");
    EXPECT_EQ(to_string(simple_loop({}, 4)->output_shape(0)), "[4,3]");
    EXPECT_EQ(to_string(simple_loop(true, -1)->output_shape(0)), "[1..,3]");
}

// x grows by a row in each iteration.
TEST(Loop, OpensAnExtentThatGrows) {
    GraphBuilder body, builder;
    const Output x = body.input("x", "...");
    body.output("more", flag(body, true));
    body.output("next", body.make<ops::Concat>("", std::vector<Output>{x, x}, 0));
    const std::vector<Output> inputs{i64(builder, 3), flag(builder, true),
                                     builder.input("x", "1,3")};
    const auto loop = builder.make<ops::Loop>("loop", inputs, body.graph(),
                                              ops::BodyPorts{{{2, 0, {}, 1}}, {{0, 1, {}}}},
                                              ops::LoopPorts{{}, 0});
    EXPECT_EQ(to_string(loop->output_shape(0)), "[?,3]");
    EXPECT_EQ(to_string(loop->body().parameters()[0]->output_shape(0)), "[?,3]");
}

TEST(Loop, RunsUntilCountOrConditionEndIt) {
    auto results = run(3, true, 100);
    expect_same(results[0], tensor_of<float>({3}, {4, 5, 6}));
    expect_same(results[1], tensor_of<float>({3, 3}, {2, 3, 4, 3, 4, 5, 4, 5, 6}));
    results = run(100, true, 2);
    expect_same(results[1], tensor_of<float>({2, 3}, {2, 3, 4, 3, 4, 5}));
    results = run(-1, true, 1);
    EXPECT_EQ(results[1].shape(), (Shape{1, 3}));
}

TEST(Loop, MayNotRunAtAll) {
    for (const auto& results : {run(0, true, 5), run(7, false, 5)}) {
        expect_same(results[0], tensor_of<float>({3}, {1, 2, 3}));
        EXPECT_EQ(results[1].shape(), (Shape{0, 3}));
    }
}

TEST(Loop, PrintsItsSpecialPorts) {
    EXPECT_NE(to_text(*count_loop()).find("iteration -> 0 condition <- 0 graph"),
              std::string::npos);
}

TEST(Loop, RefusesWhatIsNoLoop) {
    const auto broken = [](auto change, const char* message) {
        const auto graph = count_loop();
        auto& loop = find<ops::Loop>(*graph, "loop");
        change(loop);
        expect_error<ModelError>([&] { loop.validate(); }, message);
    };
    broken([](ops::Loop& n) { n.set_inputs({n.input(0)}); },
           "got 1 input; expected a trip count and a condition");
    broken([](ops::Loop& n) { n.set_input(0, n.input(2)); },
           "the trip count is f32[3]; expected one i64 or i32");
    broken([](ops::Loop& n) { n.set_input(1, n.input(2)); },
           "the condition is f32[3]; expected one boolean");
    broken([](ops::Loop& n) { n.set_special_ports({3, 0}); }, "the body has no parameter 3");
    broken(
        [](ops::Loop& n) {
            n.set_special_ports({1, 0});
        },
        "the number of the iteration is f32[3]; expected one i64 or i32");
    broken([](ops::Loop& n) { n.set_special_ports({0, 4}); }, "the body has no result 4");
    broken(
        [](ops::Loop& n) {
            n.set_special_ports({0, 1});
        },
        "the body's condition is f32[3]; expected one boolean");
}

// Two outputs, of which none is a carried value.
TEST(Loop, HasNoValueForAnOutputThatNoIterationMade) {
    const auto graph = count_loop();
    auto& loop = find<ops::Loop>(*graph, "loop");
    loop.set_ports(0, {loop.body_ports().inputs, {{0, 2, {}}}});
    loop.validate();
    const std::vector<Tensor> inputs{scalar_of<std::int64_t>(0), scalar_of<bool>(true),
                                     tensor_of<float>({3}, {1, 2, 3}), scalar_of<std::int64_t>(1)};
    expect_error<ModelError>([&] { reference::evaluate(loop, inputs); },
                             "output 0 has no value, since there was no iteration");
}

}  // namespace
}  // namespace rondo::loop_test
