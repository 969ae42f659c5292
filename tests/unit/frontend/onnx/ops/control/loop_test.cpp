#include "core/ops/control/control_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::loop_test {
namespace {

using namespace test;  // NOLINT: tests only

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;
constexpr ElementType boolean = ElementType::boolean;

// v becomes v + step; ends where left - 1 is 0. Scans v.
ModelBuilder body() {
    ModelBuilder body;
    body.input("i", i64, {}).input("cond", boolean, {}).input("v", f32, {2});
    body.input("left", i64, {});
    body.initializer("one", scalar_of<std::int64_t>(1));
    body.node("Add", {"v", "step"}, {"next"});
    body.node("Sub", {"left", "one"}, {"less"});
    body.node("Cast", {"less"}, {"more"}).with("to", 9);
    body.node("Identity", {"next"}, {"scanned"});
    for (const char* name : {"more", "next", "less", "scanned"}) body.output(name);
    return body;
}

ModelBuilder loop(const std::vector<std::string>& inputs = {"n", "c", "v0", "left0"}) {
    ModelBuilder model;
    model.input("n", i64, {}).input("c", boolean, {}).input("v0", f32, {2});
    model.input("left0", i64, {}).input("step", f32, {2});
    model.node("Loop", inputs, {"v_out", "", "rows"}, "the_loop").with("body", body().graph());
    model.output("v_out").output("rows");
    return model;
}

std::vector<Tensor> run(const ModelBuilder& model, std::int64_t n, bool c, std::int64_t left) {
    return model.run({scalar_of<std::int64_t>(n), scalar_of<bool>(c), tensor_of<float>({2}, {1, 2}),
                      scalar_of<std::int64_t>(left), tensor_of<float>({2}, {10, 20})});
}

TEST(OnnxLoop, RunsUntilCountOrConditionEndIt) {
    check_graph(*loop().read());
    auto results = run(loop(), 2, true, 100);
    expect_same(results[0], tensor_of<float>({2}, {21, 42}));
    expect_same(results[1], tensor_of<float>({2, 2}, {11, 22, 21, 42}));
    results = run(loop(), 100, true, 3);
    EXPECT_EQ(results[1].shape(), (Shape{3, 2}));
    for (const auto& none :
         {run(loop(), 0, true, 3), run(loop(), -5, true, 3), run(loop(), 4, false, 3)}) {
        expect_same(none[0], tensor_of<float>({2}, {1, 2}));
        EXPECT_EQ(none[1].shape(), (Shape{0, 2}));
    }
}

TEST(OnnxLoop, CountAndConditionMayBeAbsent) {
    EXPECT_EQ(run(loop({"", "c", "v0", "left0"}), 0, true, 4)[1].shape(), (Shape{4, 2}));
    EXPECT_EQ(run(loop({"n", "", "v0", "left0"}), 3, false, 9)[1].shape(), (Shape{3, 2}));
    EXPECT_EQ(run(loop({"", "", "v0", "left0"}), 0, false, 2)[1].shape(), (Shape{2, 2}));
}

TEST(OnnxLoop, AConstantNegativeCountIsNone) {
    ModelBuilder model = loop({"minus", "c", "v0", "left0"});
    model.initializer("minus", scalar_of<std::int64_t>(-3));
    EXPECT_EQ(run(model, 7, true, 9)[1].shape(), (Shape{0, 2}));
}

// The value grows by a row in each iteration, whatever the body declares.
TEST(OnnxLoop, ReadsABodyWhoseShapesChange) {
    ModelBuilder grow, model;
    grow.input("i", i64, {}).input("c", boolean, {}).input("v", f32, {1, 2});
    grow.node("Concat", {"v", "x"}, {"next"}).with("axis", 0);
    grow.output("c").output("next");
    model.input("n", i64, {}).input("x", f32, {1, 2});
    model.node("Loop", {"n", "", "x"}, {"y"}).with("body", grow.graph());
    model.output("y");
    const auto graph = model.read();
    check_graph(*graph);
    EXPECT_EQ(graph->results()[0]->output_shape(0), PartialShape::parse("1..,2"));
    EXPECT_EQ(model.run({scalar_of<std::int64_t>(3), tensor_of<float>({1, 2}, {1, 2})})[0].shape(),
              (Shape{4, 2}));
}

// Both forms are about: a number of rank 0 and one of rank 1.
TEST(OnnxLoop, TheNumberHasTheRankThatTheBodyDeclares) {
    for (const PartialShape& shape : {PartialShape(Shape{}), PartialShape{1}}) {
        ModelBuilder count, model;
        count.input("i", i64, shape).input("c", boolean, {});
        count.output("c").output("i");
        model.input("n", i64, {});
        model.node("Loop", {"n", ""}, {"numbers"}).with("body", count.graph());
        model.output("numbers");
        const Tensor numbers = model.run({scalar_of<std::int64_t>(3)})[0];
        expect_same(numbers.reshaped({3}), tensor_of<std::int64_t>({3}, {0, 1, 2}));
        EXPECT_EQ(numbers.shape().size(), 1 + shape.rank());
    }
}

TEST(OnnxLoop, RefusesWhatIsNoLoop) {
    const auto broken = [](auto change, const char* message) {
        ModelBuilder model = loop();
        auto& node = *model.graph().mutable_node(0);
        change(node, *node.mutable_attribute(0)->mutable_g());
        expect_error<ModelError>([&] { model.read(); }, message);
    };
    using Message = rondo_onnx::NodeProto;
    using Body = rondo_onnx::GraphProto;
    broken([](Message& n, Body&) { n.clear_attribute(); }, "attribute 'body' is missing");
    broken([](Message& n, Body&) { n.mutable_input()->RemoveLast(); },
           "the body has more inputs than the 3 that it gets");
    broken([](Message&, Body& b) { b.mutable_input()->RemoveLast(); },
           "the body has 3 inputs; expected 4");
    broken([](Message&, Body& b) { b.mutable_output()->DeleteSubrange(1, 3); },
           "the body has 1 output; expected at least 3");
    broken([](Message& n, Body&) { n.set_input(2, "left0"); },
           "input 'v': it is declared f32 but gets i64");
    broken([](Message& n, Body&) { n.set_input(0, "v0"); }, "the trip count is f32[2]");
}

TEST(OnnxLoop, RefusesLoopsThatNestTooDeep) {
    ModelBuilder innermost;
    innermost.input("i", i64, {}).input("c", boolean, {});
    innermost.output("c").output("i");
    rondo_onnx::GraphProto graph = innermost.graph();
    for (int depth = 0; depth < 8; ++depth) {
        ModelBuilder around;
        around.input("i", i64, {}).input("c", boolean, {});
        around.node("Loop", {"i", ""}, {"y"}).with("body", graph);
        around.output("c").output("y");
        graph = around.graph();
    }
    ModelBuilder model;
    model.input("n", i64, {});
    model.node("Loop", {"n", ""}, {"y"}).with("body", graph);
    model.output("y");
    expect_error<UnsupportedError>([&] { model.read(); }, "loops are nested too deep");
}

}  // namespace
}  // namespace rondo::onnx::loop_test
