// Sequences that loops carry.
#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::loop_list_test {
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
TEST(OnnxLoopList, Grows) {
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
TEST(OnnxLoopList, GetsTensorsFromAnIfThatExtentsDecide) {
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

TEST(OnnxLoopList, GrowsBehindWhatIsThere) {
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
TEST(OnnxLoopList, KeepsItsLength) {
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

// The list that a body fills, joined along an axis.
ModelBuilder joined_list(const ModelBuilder& body, const PartialShape& x, std::int64_t axis,
                         bool is_new = false) {
    ModelBuilder model = model_of(body, x);
    model.node("SequenceEmpty", {}, {"start"}).with("dtype", 1);
    model.graph().mutable_node()->SwapElements(0, 1);
    model.node("ConcatFromSequence", {"list"}, {"y"}, "join")
        .with("axis", axis)
        .with("new_axis", is_new ? 1 : 0);
    return model;
}

// A branch that adds a tensor to the list "s", or none.
ModelBuilder adding_branch(const std::string& tensor) {
    ModelBuilder branch;
    if (tensor.empty()) {
        branch.node("Identity", {"s"}, {"same"});
        return branch.output("same");
    }
    branch.node("SequenceInsert", {"s", tensor}, {"longer"});
    return branch.output("longer");
}

// Adds x + i in odd iterations, and in even ones what `other` names.
ModelBuilder choosing_body(const std::string& other) {
    ModelBuilder body = body_of_loop(), odd = adding_branch("row"), even = adding_branch(other);
    body.initializer("two", scalar_of<std::int64_t>(2));
    body.node("Cast", {"i"}, {"number"}).with("to", 1);
    body.node("Add", {"x", "number"}, {"row"});
    body.node("Mod", {"i", "two"}, {"rest"});
    body.node("Cast", {"rest"}, {"is odd"}).with("to", 9);
    body.node("If", {"is odd"}, {"more"})
        .with("then_branch", odd.graph())
        .with("else_branch", even.graph());
    return body.output("more");
}

TEST(OnnxLoopList, GrowsAtBothEnds) {
    ModelBuilder body = body_of_loop();
    body.initializer("zero", scalar_of<std::int64_t>(0));
    body.node("Cast", {"i"}, {"number"}).with("to", 1);
    body.node("Add", {"x", "number"}, {"row"});
    body.node("Neg", {"row"}, {"minus"});
    body.node("SequenceInsert", {"s", "row"}, {"sa"});
    body.node("SequenceInsert", {"sa", "minus", "zero"}, {"sb"});
    body.node("SequenceInsert", {"sb", "x", "zero"}, {"sc"});
    body.node("SequenceInsert", {"sc", "minus"}, {"sd"});
    body.node("SequenceErase", {"sd", "zero"}, {"se"});  // takes x out
    body.node("SequenceInsert", {"se", "x"}, {"sf"});
    body.node("SequenceErase", {"sf"}, {"sg"});
    body.output("sg");
    for (const auto& shape : {PartialShape({2, 1}), PartialShape::of_rank(2)}) {
        expect_same(run(joined_list(body, shape, 1), 2),
                    tensor_of<float>({2, 6}, {-2, -1, 1, -1, 2, -2, -3, -2, 2, -2, 3, -3}));
        EXPECT_EQ(run(joined_list(body, {2, 1}, 1), 0).shape(), (Shape{2, 0}));
    }
}

TEST(OnnxLoopList, GrowsInEachBranch) {
    for (const auto& shape : {PartialShape({2, 1}), PartialShape::of_rank(2)}) {
        expect_same(run(joined_list(choosing_body("x"), shape, -1), 4),
                    tensor_of<float>({2, 4}, {1, 2, 1, 4, 2, 3, 2, 5}));
    }
}

TEST(OnnxLoopList, GrowsInOneBranchAlone) {
    for (const auto& shape : {PartialShape({2, 1}), PartialShape::of_rank(2)}) {
        for (const bool is_new : {false, true}) {
            const ModelBuilder model = joined_list(choosing_body(""), shape, 0, is_new);
            const Shape expected = is_new ? Shape{2, 2, 1} : Shape{4, 1};
            expect_same(run(model, 4), tensor_of<float>(expected, {2, 3, 4, 5}));
        }
        expect_same(run(joined_list(choosing_body(""), shape, 1, true), 2),
                    tensor_of<float>({2, 1, 1}, {2, 3}));
    }
}

TEST(OnnxLoopList, IsReadInTheBody) {
    const auto model_with = [](std::int64_t place, bool counts) {
        ModelBuilder model, body = body_of_loop();
        body.initializer("place", scalar_of(place));
        body.node("SequenceAt", {"s", "place"}, {"old"});
        body.node("SequenceLength", {"s"}, {"count"});
        body.node("Cast", {counts ? "count" : "i"}, {"number"}).with("to", 1);
        body.node("Add", {"old", "number"}, {"row"});
        body.node("SequenceInsert", {"s", "row"}, {"more"});
        if (!counts) body.graph().mutable_node()->DeleteSubrange(1, 1);
        body.output("more");
        model.input("n", i64, {}).input("x", f32, {2, 1});
        model.node("Neg", {"x"}, {"minus"});
        model.node("SequenceConstruct", {"minus", "x"}, {"start"});
        model.node("Loop", {"n", "", "start"}, {"list"}, "loop").with("body", body.graph());
        model.node("ConcatFromSequence", {"list"}, {"y"}).with("axis", 1);
        return model;
    };
    expect_same(run(model_with(-1, false), 3),
                tensor_of<float>({2, 5}, {-1, 1, 1, 2, 4, -2, 2, 2, 3, 5}));
    expect_same(run(model_with(-1, true), 2), tensor_of<float>({2, 4}, {-1, 1, 3, 6, -2, 2, 4, 7}));
    expect_same(run(model_with(-2, false), 3),
                tensor_of<float>({2, 5}, {-1, 1, -1, 2, 1, -2, 2, -2, 3, 0}));
    expect_same(run(model_with(0, false), 0), tensor_of<float>({2, 2}, {-1, 1, -2, 2}));
}

// A model of speech that repeats each frame as often as it says.
TEST(OnnxLoopList, MayBeRagged) {
    ModelBuilder body = body_of_loop();
    body.initializer("axis", tensor_of<std::int64_t>({1}, {0}));
    body.node("Unsqueeze", {"i", "axis"}, {"count"});
    body.initializer("one", tensor_of<std::int64_t>({1}, {1}));
    body.node("Concat", {"count", "one"}, {"repeats"}).with("axis", 0);
    body.node("Tile", {"x", "repeats"}, {"part"});
    body.node("SequenceInsert", {"s", "part"}, {"more"});
    body.output("more");
    for (const auto& shape : {PartialShape({2, 1}), PartialShape::of_rank(2)}) {
        ModelBuilder model = joined_list(body, shape, 0);
        expect_same(run(model, 3), tensor_of<float>({6, 1}, {1, 2, 1, 2, 1, 2}));
        EXPECT_EQ(run(model, 1).size(), 0u);
        EXPECT_EQ(run(model, 0).size(), 0u);
    }
}

// An empty tensor shows the other extents, a list without tensors doesn't.
TEST(OnnxLoopList, MayBeRaggedInFront) {
    ModelBuilder body = body_of_loop();
    body.initializer("zero", scalar_of<std::int64_t>(0));
    body.node("SequenceInsert", {"s", "x", "zero"}, {"more"});
    body.output("more");
    const ModelBuilder ragged = joined_list(body, PartialShape::of_rank(2), 0);
    expect_same(run(ragged, 2), tensor_of<float>({4, 1}, {1, 2, 1, 2}));
    ModelBuilder empty = ragged;
    empty.output("y");
    const auto results = empty.run({scalar_of<std::int64_t>(2), Tensor(ElementType::f32, {0, 3})});
    EXPECT_EQ(results.at(0).shape(), (Shape{0, 3}));
}

TEST(OnnxLoopList, MayBeRaggedInOneIterationOrFromTheStart) {
    ModelBuilder body = body_of_loop();
    body.node("Concat", {"x", "x"}, {"twice"}).with("axis", 0);
    body.node("SequenceInsert", {"s", "x"}, {"longer"});
    body.node("SequenceInsert", {"longer", "twice"}, {"more"});
    body.output("more");
    expect_same(run(joined_list(body, {2, 1}, 0), 1), tensor_of<float>({6, 1}, {1, 2, 1, 2, 1, 2}));
    expect_error<UnsupportedError>(
        [&] {
            run(joined_list(body, {2, 1}, 0, true), 1);
        },
        "tensors of different shapes are in one sequence: [1,4,1] can't be joined to [?,2,1]");
    ModelBuilder model = model_of(adding_body());
    model.node("Concat", {"x", "x"}, {"twice"}).with("axis", 0);
    model.node("SequenceConstruct", {"twice"}, {"start"});
    auto& nodes = *model.graph().mutable_node();
    nodes.SwapElements(0, 1);
    nodes.SwapElements(1, 2);
    ModelBuilder stacked = model;
    model.node("ConcatFromSequence", {"list"}, {"y"}).with("axis", 0);
    expect_same(run(model, 1), tensor_of<float>({6, 1}, {1, 2, 1, 2, 1, 2}));
    stacked.node("SequenceLength", {"list"}, {"y"});
    expect_error<UnsupportedError>([&] { run(stacked, 1); },
                                   "node 'loop' (Loop): tensors of different shapes are in one");
}

TEST(OnnxLoopList, MayGrowInALoopInTheLoop) {
    ModelBuilder body = body_of_loop(), inner;
    inner.input("k", i64, {}).input("d", ElementType::boolean, {});
    sequence_input(inner, "t");
    inner.output("d");
    inner.node("Cast", {"k"}, {"step"}).with("to", 1);
    inner.node("Sub", {"x", "step"}, {"part"});
    inner.node("SequenceInsert", {"t", "part"}, {"longer"});
    inner.output("longer");
    body.node("Loop", {"i", "", "s"}, {"more"}, "inner").with("body", inner.graph());
    body.output("more");
    for (const auto& shape : {PartialShape({2, 1}), PartialShape::of_rank(2)}) {
        expect_same(run(joined_list(body, shape, 1), 3),
                    tensor_of<float>({2, 3}, {1, 1, 0, 2, 2, 1}));
        expect_same(run(joined_list(body, shape, 1, true), 3),
                    tensor_of<float>({2, 3, 1}, {1, 1, 0, 2, 2, 1}));
    }
}

TEST(OnnxLoopList, GetsItsRankFromTheDeclaration) {
    ModelBuilder body = adding_body();
    expect_error<UnsupportedError>(
        [&] { joined_list(body, PartialShape(), 1, true).output("y").read(); },
        "node 'join' (ConcatFromSequence): the rank of the tensors");
    auto& type = *body.graph().mutable_input(2)->mutable_type()->mutable_sequence_type();
    auto& shape = *type.mutable_elem_type()->mutable_tensor_type()->mutable_shape();
    shape.add_dim();
    shape.add_dim();
    expect_same(run(joined_list(body, PartialShape(), 1, true), 2),
                tensor_of<float>({2, 2, 1}, {1, 2, 2, 3}));
}

TEST(OnnxLoopList, MayStayEmptyInTheLoop) {
    ModelBuilder model, body = body_of_loop();
    body.node("SequenceLength", {"s"}, {"count"});
    body.node("Identity", {"s"}, {"same"});
    body.output("same");
    auto& type = *body.graph().mutable_input(2)->mutable_type()->mutable_sequence_type();
    auto& shape = *type.mutable_elem_type()->mutable_tensor_type()->mutable_shape();
    shape.add_dim();
    shape.add_dim();
    model.input("n", i64, {}).input("x", f32, {2, 1});
    model.node("SequenceEmpty", {}, {"start"}).with("dtype", 1);
    model.node("Loop", {"n", "", "start"}, {"list"}, "loop").with("body", body.graph());
    model.node("SequenceInsert", {"list", "x"}, {"one"});
    model.node("ConcatFromSequence", {"one"}, {"y"}).with("axis", 0);
    expect_same(run(model, 2), kX);
}

TEST(OnnxLoopList, MayBecomeAnotherList) {
    ModelBuilder body = body_of_loop();
    body.node("SequenceInsert", {"s", "x"}, {"longer"});
    body.node("SequenceLength", {"longer"}, {"count"});
    body.node("Cast", {"count"}, {"number"}).with("to", 1);
    body.node("Add", {"x", "number"}, {"row"});
    body.node("SequenceConstruct", {"x", "row"}, {"next"});
    body.output("next");
    expect_same(run(joined_list(body, {2, 1}, 1), 1), tensor_of<float>({2, 2}, {1, 2, 2, 3}));
    expect_same(run(joined_list(body, {2, 1}, 1), 2), tensor_of<float>({2, 2}, {1, 4, 2, 5}));
}

TEST(OnnxLoopList, RefusesWhatIsNotKnown) {
    const auto refuse = [](const ModelBuilder& body, const char* message) {
        ModelBuilder model = joined_list(body, {2, 1}, 0, true);
        model.output("y");
        expect_error<UnsupportedError>([&] { model.read(); }, message);
    };
    ModelBuilder looks = body_of_loop();
    looks.node("SequenceAt", {"s", "i"}, {"a"}, "look");
    looks.node("SequenceInsert", {"s", "a"}, {"more"});
    looks.output("more");
    refuse(looks, "node 'loop' (Loop): the body reads a sequence that the loop fills, but neither");
    ModelBuilder placed = body_of_loop();
    placed.node("SequenceInsert", {"s", "x"}, {"a"});
    placed.node("SequenceInsert", {"a", "x", "i"}, {"more"}, "insert");
    placed.output("more");
    refuse(placed, "node 'insert' (SequenceInsert): a position is given, but");
    ModelBuilder erased = adding_body();
    erased.initializer("two", scalar_of<std::int64_t>(2));
    erased.node("SequenceErase", {"more", "two"}, {"less"}, "erase");
    erased.graph().mutable_output(1)->set_name("less");
    refuse(erased, "node 'erase' (SequenceErase): the position is 2, but");
    ModelBuilder wide = choosing_body("");
    wide.node("Concat", {"row", "row"}, {"wide"}).with("axis", 0);
    wide.node("SequenceInsert", {"more", "wide"}, {"both"}, "insert");
    wide.graph().mutable_output(1)->set_name("both");
    refuse(
        wide,
        "node 'insert' (SequenceInsert): tensors of different shapes are in one sequence: [1,4,1]");
}

}  // namespace
}  // namespace rondo::onnx::loop_list_test
