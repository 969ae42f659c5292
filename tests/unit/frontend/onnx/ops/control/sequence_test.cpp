#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::sequence_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;
using testing::ElementsAre;

constexpr ElementType f32 = ElementType::f32;
using Ints = std::vector<std::int64_t>;

class OnnxSequence : public ::testing::Test {
protected:
    OnnxSequence() {
        model_.input("x", f32, {5}).input("z", f32, {5});
        model_.initializer("zero", scalar_of<std::int64_t>(0));
        model_.initializer("one", scalar_of<std::int64_t>(1));
        model_.initializer("last", scalar_of<std::int64_t>(-1));
    }

    std::vector<Tensor> run(const std::vector<std::string>& outputs) {
        for (const auto& name : outputs) model_.output(name);
        check_graph(*model_.read());
        return model_.run(
            {tensor_of<float>({5}, {1, 2, 3, 4, 5}), tensor_of<float>({5}, {10, 20, 30, 40, 50})});
    }
    std::vector<float> floats(const std::string& output) {
        const Tensor y = run({output})[0];
        return {y.data<float>(), y.data<float>() + y.size()};
    }
    template <typename Kind>
    void refuses(const char* message) {
        model_.output("y");
        expect_error<Kind>([&] { model_.read(); }, message);
    }

    ModelBuilder model_;
};

TEST_F(OnnxSequence, TensorsComeOutAsTheyWentIn) {
    model_.node("SequenceConstruct", {"x", "z"}, {"s"});
    model_.node("Identity", {"s"}, {"same"});
    model_.node("SequenceAt", {"same", "last"}, {"y"});
    EXPECT_THAT(floats("y"), ElementsAre(10, 20, 30, 40, 50));
}

TEST_F(OnnxSequence, InsertsErasesAndCounts) {
    model_.node("SequenceEmpty", {}, {"none"}).with("dtype", 1);
    model_.node("SequenceInsert", {"none", "x"}, {"a"}, "first");
    model_.node("SequenceInsert", {"a", "z", "zero"}, {"b"}, "second");
    model_.node("SequenceInsert", {"b", "x", "last"}, {"c"}, "third");  // z x x
    model_.node("SequenceErase", {"c", "one"}, {"d"}, "shorter");
    model_.node("SequenceErase", {"d"}, {"e"}, "shortest");
    model_.node("SequenceLength", {"c"}, {"count"});
    model_.node("SequenceLength", {"e"}, {"one left"}, "count again");
    model_.node("SequenceAt", {"e", "zero"}, {"y"});
    const auto outputs = run({"count", "one left", "y"});
    test::expect_same(outputs[0], scalar_of<std::int64_t>(3));
    test::expect_same(outputs[1], scalar_of<std::int64_t>(1));
    EXPECT_EQ(outputs[2].data<float>()[0], 10);
}

TEST_F(OnnxSequence, JoinsAlongAnAxisOrANewOne) {
    model_.node("SequenceConstruct", {"x", "z"}, {"s"});
    model_.node("ConcatFromSequence", {"s"}, {"y"}, "row").with("axis", 0);
    model_.node("ConcatFromSequence", {"s"}, {"w"}, "columns").with("axis", -1).with("new_axis", 1);
    const auto outputs = run({"y", "w"});
    EXPECT_EQ(outputs[0].shape(), (Shape{10}));
    test::expect_same(outputs[1], tensor_of<float>({5, 2}, {1, 10, 2, 20, 3, 30, 4, 40, 5, 50}));
}

TEST_F(OnnxSequence, APositionOfRunTimeTakesOneOfEqualShapes) {
    model_.input("i", ElementType::i64, {}).output("y");
    model_.node("SequenceConstruct", {"x", "z"}, {"s"});
    model_.node("SequenceAt", {"s", "i"}, {"y"});
    const auto x = tensor_of<float>({5}, {1, 2, 3, 4, 5});
    const auto z = tensor_of<float>({5}, {10, 20, 30, 40, 50});
    test::expect_same(model_.run({x, z, scalar_of<std::int64_t>(1)})[0], z);
    test::expect_same(model_.run({x, z, scalar_of<std::int64_t>(-2)})[0], x);
}

TEST_F(OnnxSequence, BodiesReadThoseAround) {
    ModelBuilder yes, no;
    yes.node("SequenceAt", {"s", "zero"}, {"a"});
    yes.output("a");
    no.node("SequenceAt", {"s", "one"}, {"b"});
    no.output("b");
    model_.input("c", ElementType::boolean, {}).output("y");
    model_.node("SequenceConstruct", {"x", "z"}, {"s"});
    model_.node("If", {"c"}, {"y"})
        .with("then_branch", yes.graph())
        .with("else_branch", no.graph());
    const auto x = tensor_of<float>({5}, {1, 2, 3, 4, 5});
    const auto z = tensor_of<float>({5}, {10, 20, 30, 40, 50});
    test::expect_same(model_.run({x, z, scalar_of<bool>(true)})[0], x);
    test::expect_same(model_.run({x, z, scalar_of<bool>(false)})[0], z);
}

TEST_F(OnnxSequence, OptionalValuesAreThereOrNot) {
    model_.node("Optional", {"x"}, {"o"}, "some");
    model_.node("Optional", {}, {"n"}, "none");
    model_.node("OptionalHasElement", {"o"}, {"yes"}, "has");
    model_.node("OptionalHasElement", {"n"}, {"no"}, "has not");
    model_.node("OptionalGetElement", {"o"}, {"y"});
    const auto outputs = run({"yes", "no", "y"});
    test::expect_same(outputs[0], scalar_of<bool>(true));
    test::expect_same(outputs[1], scalar_of<bool>(false));
    EXPECT_EQ(outputs[2].data<float>()[4], 5);
}

// A list that a loop fills with tensors of whose rank an If decides, as in the usual export of
// squeeze(): the rank isn't known before it runs.
TEST_F(OnnxSequence, JoinsTensorsOfUnknownRank) {
    ModelBuilder squeezed, same, body;
    squeezed.node("Squeeze", {"wide", "axis"}, {"a"});
    squeezed.output("a");
    same.node("Identity", {"wide"}, {"b"});
    same.output("b");
    body.input("i", ElementType::i64, {}).input("c", ElementType::boolean, {});
    auto& list = *body.graph().add_input();
    list.set_name("s");
    list.mutable_type()->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type();
    body.initializer("axis", tensor_of<std::int64_t>({1}, {1}));
    body.initializer("W", tensor_of<float>({1, 2}, {10, 100}));
    body.node("Unsqueeze", {"x", "axis"}, {"wide"});
    body.node("Shape", {"wide"}, {"shape"});
    body.node("Gather", {"shape", "axis"}, {"extent"});
    body.node("Equal", {"extent", "axis"}, {"is one"});
    body.node("If", {"is one"}, {"row"})
        .with("then_branch", squeezed.graph())
        .with("else_branch", same.graph());
    body.node("MatMul", {"row", "W"}, {"product"});
    body.node("Unsqueeze", {"product", "axis"}, {"part"});
    body.node("SequenceInsert", {"s", "part"}, {"more"});
    body.output("c").output("more");
    ModelBuilder model;
    model.input("n", ElementType::i64, {}).input("x", ElementType::f32, PartialShape::of_rank(2));
    model.output("y").node("SequenceEmpty", {}, {"start"}).with("dtype", 1);
    model.node("Loop", {"n", "", "start"}, {"list"}).with("body", body.graph());
    model.node("ConcatFromSequence", {"list"}, {"y"}).with("axis", 1);
    const Tensor n = scalar_of<std::int64_t>(2), x = tensor_of<float>({2, 1}, {1, 2});
    expect_same(model.run({n, x}).at(0),
                tensor_of<float>({2, 2, 2}, {10, 100, 10, 100, 20, 200, 20, 200}));
}

TEST_F(OnnxSequence, RefusesSequencesWhereTensorsAreExpected) {
    model_.node("SequenceConstruct", {"x", "z"}, {"s"});
    model_.node("Relu", {"s"}, {"y"}, "activate");
    refuses<UnsupportedError>("node 'activate' (Relu): input 0 is a sequence");
}

TEST_F(OnnxSequence, RefusesToLetThemOut) {
    model_.node("SequenceConstruct", {"x", "z"}, {"y"});
    refuses<UnsupportedError>("output 'y': it is a sequence");
}

TEST_F(OnnxSequence, RefusesTensorsWhereSequencesAreExpected) {
    model_.node("SequenceLength", {"x"}, {"y"});
    refuses<ModelError>("input 0 is a tensor; expected a sequence");
}

TEST_F(OnnxSequence, RefusesPlacesThatAreNotThere) {
    model_.initializer("two", scalar_of<std::int64_t>(2));
    model_.node("SequenceConstruct", {"x", "z"}, {"s"});
    model_.node("SequenceAt", {"s", "two"}, {"y"});
    refuses<ModelError>("the position is 2; expected one in [-2, 2)");
}

TEST_F(OnnxSequence, RefusesWhatIsKnownOnlyAtRunTime) {
    model_.input("open", f32, {Dimension()}).input("i", ElementType::i64, {});
    model_.node("SequenceConstruct", {"x", "open"}, {"t"});
    model_.node("SequenceAt", {"t", "i"}, {"y"}, "at");
    refuses<UnsupportedError>(
        "node 'at' (SequenceAt): the position in the sequence is known only at run time");
}

TEST_F(OnnxSequence, RefusesMixedTypes) {
    model_.input("i", ElementType::i64, {5});
    auto mixed = model_;
    mixed.node("SequenceConstruct", {"x", "i"}, {"y"});
    mixed.output("y");
    expect_error<ModelError>([&] { mixed.read(); }, "the tensors are f32 and i64");
}

}  // namespace
}  // namespace rondo::onnx::sequence_test
