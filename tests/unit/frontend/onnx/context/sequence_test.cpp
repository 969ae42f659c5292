#include <gtest/gtest.h>

#include "core/graph/validator.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;

ModelBuilder& sequence_input(ModelBuilder& body, const std::string& name) {
    auto& input = *body.graph().add_input();
    input.set_name(name);
    input.mutable_type()->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type();
    return body;
}

// A loop's body with the sequence "s".
ModelBuilder body_of_loop() {
    ModelBuilder body;
    body.input("i", i64, {}).input("c", ElementType::boolean, {});
    sequence_input(body, "s");
    body.output("c");
    return body;
}

// Adds x + i in iteration i.
ModelBuilder adding_body() {
    ModelBuilder body = body_of_loop();
    body.node("Cast", {"i"}, {"number"}).with("to", 1);
    body.node("Add", {"x", "number"}, {"row"});
    body.node("SequenceInsert", {"s", "row"}, {"more"});
    return body.output("more");
}

const Tensor kX = tensor_of<float>({2, 1}, {1, 2});

ModelBuilder model_of(const ModelBuilder& body, const PartialShape& x = {2, 1}) {
    ModelBuilder model, copy = body;
    model.input("n", i64, {}).input("x", f32, x);
    model.node("Loop", {"n", "", "start"}, {"list"}, "loop").with("body", copy.graph());
    return model;
}

Tensor run(ModelBuilder model, std::int64_t n) {
    model.output("y");
    check_graph(*model.read());
    return model.run({scalar_of(n), kX}).at(0);
}

// The usual export of a list that a loop fills.
TEST(OnnxSequenceInLoop, Grows) {
    for (const auto& shape : {PartialShape({2, 1}), PartialShape::of_rank(2)}) {
        ModelBuilder model = model_of(adding_body(), shape);
        model.node("SequenceEmpty", {}, {"start"}).with("dtype", 1);
        auto& nodes = *model.graph().mutable_node();
        nodes.SwapElements(0, 1);
        const auto with = [&](std::int64_t axis, std::int64_t is_new) {
            ModelBuilder joined = model;
            joined.node("ConcatFromSequence", {"list"}, {"y"}, "j")
                .with("axis", axis)
                .with("new_axis", is_new);
            return joined;
        };
        expect_same(run(with(0, 0), 3), tensor_of<float>({6, 1}, {1, 2, 2, 3, 3, 4}));
        expect_same(run(with(-1, 0), 3), tensor_of<float>({2, 3}, {1, 2, 3, 2, 3, 4}));
        expect_same(run(with(0, 1), 2), tensor_of<float>({2, 2, 1}, {1, 2, 2, 3}));
        expect_same(run(with(2, 1), 2), tensor_of<float>({2, 1, 2}, {1, 2, 2, 3}));
        expect_same(run(with(0, 0), 1), kX);
        ModelBuilder element = model;
        element.initializer("last", scalar_of<std::int64_t>(-1));
        element.node("SequenceAt", {"list", "last"}, {"y"});
        expect_same(run(element, 5), tensor_of<float>({2, 1}, {5, 6}));
        ModelBuilder length = model;
        length.node("SequenceErase", {"list"}, {"shorter"});
        length.node("SequenceInsert", {"shorter", "x"}, {"same"});
        length.node("SequenceInsert", {"same", "x"}, {"longer"});
        length.node("SequenceLength", {"longer"}, {"y"});
        expect_same(run(length, 4), scalar_of<std::int64_t>(5));
    }
}

// The usual export of squeeze(): an If that asks for the extent.
TEST(OnnxSequenceInLoop, GetsTensorsFromAnIfThatExtentsDecide) {
    ModelBuilder body = body_of_loop(), squeezed, same;
    squeezed.node("Squeeze", {"wide", "axis"}, {"a"});
    squeezed.output("a");
    same.node("Identity", {"wide"}, {"b"});
    same.output("b");
    body.initializer("axis", tensor_of<std::int64_t>({1}, {1}));
    body.node("Unsqueeze", {"x", "axis"}, {"wide"});
    body.node("Shape", {"wide"}, {"shape"});
    body.node("Gather", {"shape", "axis"}, {"extent"});
    body.node("Equal", {"extent", "axis"}, {"is one"});
    body.node("If", {"is one"}, {"row"})
        .with("then_branch", squeezed.graph())
        .with("else_branch", same.graph());
    body.node("SequenceInsert", {"s", "row"}, {"more"});
    body.output("more");
    ModelBuilder model = model_of(body, PartialShape::of_rank(2));
    model.node("SequenceEmpty", {}, {"start"}).with("dtype", 1);
    model.graph().mutable_node()->SwapElements(0, 1);
    model.node("ConcatFromSequence", {"list"}, {"y"}).with("axis", 1);
    expect_same(run(model, 2), tensor_of<float>({2, 2}, {1, 1, 2, 2}));
}

TEST(OnnxSequenceInLoop, GrowsBehindWhatIsThere) {
    ModelBuilder model;
    ModelBuilder body = adding_body();
    model.input("n", i64, {}).input("x", f32, {2, 1});
    model.node("SequenceConstruct", {"x"}, {"start"});
    model.node("Loop", {"n", "", "start"}, {"list"}, "loop").with("body", body.graph());
    model.node("Loop", {"n", "", "list"}, {"all"}, "again").with("body", body.graph());
    model.node("ConcatFromSequence", {"all"}, {"y"}).with("axis", 1);
    expect_same(run(model, 2), tensor_of<float>({2, 5}, {1, 1, 2, 1, 2, 2, 2, 3, 2, 3}));
}

// A list of two states, which change their places.
TEST(OnnxSequenceInLoop, KeepsItsLength) {
    ModelBuilder model, body = body_of_loop();
    body.initializer("zero", scalar_of<std::int64_t>(0))
        .initializer("one", scalar_of<std::int64_t>(1));
    body.node("SequenceAt", {"s", "zero"}, {"a"});
    body.node("SequenceAt", {"s", "one"}, {"b"});
    body.node("Add", {"a", "b"}, {"sum"});
    body.node("SequenceConstruct", {"b", "sum"}, {"next"});
    body.output("next");
    model.input("n", i64, {}).input("x", f32, {2, 1});
    model.node("SequenceConstruct", {"x", "x"}, {"start"});
    model.node("Loop", {"n", "", "start"}, {"list"}, "loop").with("body", body.graph());
    model.initializer("one", scalar_of<std::int64_t>(1));
    model.node("SequenceAt", {"list", "one"}, {"y"});
    expect_same(run(model, 4), tensor_of<float>({2, 1}, {8, 16}));
    expect_same(run(model, 0), kX);
}

TEST(OnnxSequenceInLoop, RefusesWhatIsNotKnown) {
    ModelBuilder twice = adding_body();
    auto& nodes = *twice.graph().mutable_node();
    nodes[2].set_output(0, "once");
    twice.node("SequenceInsert", {"once", "row"}, {"more"}, "second");
    const auto refuse = [](const ModelBuilder& body, const char* message) {
        ModelBuilder model = model_of(body);
        model.node("SequenceEmpty", {}, {"start"}).with("dtype", 1);
        model.graph().mutable_node()->SwapElements(0, 1);
        model.node("ConcatFromSequence", {"list"}, {"y"}).with("axis", 0);
        model.output("y");
        expect_error<UnsupportedError>([&] { model.read(); }, message);
    };
    refuse(twice, "node 'second' (SequenceInsert): a loop adds more than one tensor");
    ModelBuilder looks = body_of_loop();
    looks.node("SequenceAt", {"s", "i"}, {"a"}, "look");
    looks.node("SequenceInsert", {"s", "a"}, {"more"});
    looks.output("more");
    refuse(looks, "node 'look' (SequenceAt): input 0 is a sequence whose number of tensors");
}

TEST(OnnxSequenceInIf, IsAList) {
    const auto branch = [](const std::vector<std::string>& tensors) {
        ModelBuilder body;
        body.node("SequenceConstruct", tensors, {"list"});
        return body.output("list");
    };
    ModelBuilder model, a = branch({"x", "z"}), b = branch({"z", "x"}), c = branch({"z"});
    model.input("f", ElementType::boolean, {}).input("x", f32, {2}).input("z", f32, {2});
    model.initializer("one", scalar_of<std::int64_t>(1)).output("y");
    model.node("If", {"f"}, {"list"}, "choose")
        .with("then_branch", a.graph())
        .with("else_branch", b.graph());
    model.node("SequenceAt", {"list", "one"}, {"y"});
    const auto x = tensor_of<float>({2}, {1, 2}), z = tensor_of<float>({2}, {3, 4});
    expect_same(model.run({scalar_of(true), x, z}).at(0), z);
    expect_same(model.run({scalar_of(false), x, z}).at(0), x);
    ModelBuilder other;
    other.input("f", ElementType::boolean, {}).input("x", f32, {2}).input("z", f32, {2});
    other.initializer("one", scalar_of<std::int64_t>(1)).output("y");
    other.node("If", {"f"}, {"list"}, "choose")
        .with("then_branch", a.graph())
        .with("else_branch", c.graph());
    other.node("SequenceAt", {"list", "one"}, {"y"});
    expect_error<UnsupportedError>([&] { other.read(); },
                                   "node 'choose' (If): output 0 of the branches is a tensor here");
}

TEST(OnnxSplitToSequence, MayHaveAnOpenLength) {
    ModelBuilder model;
    model.input("x", f32, {2, -1}).output("y").output("part").output("length");
    model.initializer("one", scalar_of<std::int64_t>(1));
    model.node("SplitToSequence", {"x"}, {"s"}).with("axis", 1).with("keepdims", 0);
    model.node("SplitToSequence", {"x", "one"}, {"t"}).with("axis", 1);
    model.node("ConcatFromSequence", {"s"}, {"y"}).with("axis", 0);
    model.node("SequenceAt", {"t", "one"}, {"part"});
    model.node("SequenceLength", {"t"}, {"length"});
    const auto results = model.run({tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6})});
    expect_same(results.at(0), tensor_of<float>({6}, {1, 4, 2, 5, 3, 6}));
    expect_same(results.at(1), tensor_of<float>({2, 1}, {2, 5}));
    expect_same(results.at(2), scalar_of<std::int64_t>(3));
}

}  // namespace
}  // namespace rondo::onnx
