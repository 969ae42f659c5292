#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::split_to_sequence_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

ModelBuilder model_of_five() {
    ModelBuilder model;
    model.input("x", f32, {5});
    model.initializer("one", scalar_of<std::int64_t>(1));
    model.initializer("last", scalar_of<std::int64_t>(-1));
    return model;
}

std::vector<Tensor> run(ModelBuilder model, const std::vector<std::string>& outputs) {
    for (const auto& name : outputs) model.output(name);
    return model.run({tensor_of<float>({5}, {1, 2, 3, 4, 5})});
}

TEST(OnnxSplitToSequence, SplitsIntoEqualChunksOrGivenLengths) {
    ModelBuilder model = model_of_five();
    model.initializer("two", scalar_of<std::int64_t>(2));
    model.initializer("lengths", tensor_of<std::int64_t>({3}, {1, 0, 4}));
    model.node("SplitToSequence", {"x", "two"}, {"s"}, "chunks").with("keepdims", 0);
    model.node("SequenceAt", {"s", "last"}, {"rest"}, "at");
    model.node("SplitToSequence", {"x", "lengths"}, {"t"}, "lengths").with("axis", -1);
    model.node("SequenceAt", {"t", "last"}, {"y"}, "at again");
    model.node("SequenceLength", {"s"}, {"count"});
    const auto outputs = run(model, {"rest", "y", "count"});
    test::expect_same(outputs[0], tensor_of<float>({1}, {5}));
    test::expect_same(outputs[1], tensor_of<float>({4}, {2, 3, 4, 5}));
    test::expect_same(outputs[2], scalar_of<std::int64_t>(3));
}

TEST(OnnxSplitToSequence, SplitsIntoSingleElements) {
    ModelBuilder model = model_of_five();
    model.node("SplitToSequence", {"x"}, {"s"}, "rows").with("keepdims", 0);
    model.node("SequenceAt", {"s", "one"}, {"y"});
    model.node("SplitToSequence", {"x"}, {"t"}, "kept");
    model.node("SequenceAt", {"t", "one"}, {"w"}, "at");
    const auto outputs = run(model, {"y", "w"});
    test::expect_same(outputs[0], scalar_of<float>(2));
    test::expect_same(outputs[1], tensor_of<float>({1}, {2}));
}

// PyTorch's unbind. The page says that keepdims is ignored beside a split; onnxruntime heeds it
// here.
TEST(OnnxSplitToSequence, DropsTheAxisOfChunksOfOne) {
    ModelBuilder model = model_of_five();
    model.node("SplitToSequence", {"x", "one"}, {"s"}, "rows").with("keepdims", 0);
    model.node("SequenceAt", {"s", "one"}, {"y"});
    test::expect_same(run(model, {"y"})[0], scalar_of<float>(2));
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

TEST(OnnxSplitToSequence, MayGetItsLengthsFromTheRun) {
    for (const ElementType type : {ElementType::i64, ElementType::i32}) {
        ModelBuilder model = model_of_five();
        model.input("lengths", type, {2}).output("y").output("z");
        model.initializer("zero", scalar_of<std::int64_t>(0));
        model.node("SplitToSequence", {"x", "lengths"}, {"s"});
        model.node("SequenceAt", {"s", "last"}, {"y"});
        model.node("SequenceAt", {"s", "zero"}, {"z"});
        const Tensor lengths = type == ElementType::i64 ? tensor_of<std::int64_t>({2}, {4, 1})
                                                        : tensor_of<std::int32_t>({2}, {4, 1});
        const auto results = model.run({tensor_of<float>({5}, {1, 2, 3, 4, 5}), lengths});
        expect_same(results.at(0), tensor_of<float>({1}, {5}));
        expect_same(results.at(1), tensor_of<float>({4}, {1, 2, 3, 4}));
    }
}

TEST(OnnxSplitToSequence, RefusesBadChunksAndOpenOnes) {
    ModelBuilder model = model_of_five();
    model.initializer("zero", scalar_of<std::int64_t>(0));
    model.node("SplitToSequence", {"x", "zero"}, {"y"}).with("axis", 0);
    model.output("y");
    expect_error<ModelError>([&] { model.read(); }, "split is 0; expected 1 or more");
    ModelBuilder open;
    open.input("n", ElementType::i64, {}).input("x", f32, {-1}).output("y");
    open.initializer("two", scalar_of<std::int64_t>(2));
    open.node("SplitToSequence", {"x", "n"}, {"y"}, "any");
    open.node("SplitToSequence", {"x", "two"}, {"z"}, "pairs");
    open.output("z");
    expect_error<UnsupportedError>([&] { open.read(); },
                                   "node 'any' (SplitToSequence): split is known only at run time");
    expect_error<UnsupportedError>([&] { open.read(); },
                                   "node 'pairs' (SplitToSequence): how many tensors");
}

}  // namespace
}  // namespace rondo::onnx::split_to_sequence_test
