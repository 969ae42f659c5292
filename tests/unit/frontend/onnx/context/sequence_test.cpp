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

constexpr ElementType f32 = ElementType::f32;

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
}

TEST(OnnxSequenceInIf, IsNoTensorInTheOtherBranch) {
    ModelBuilder model, list, tensor;
    list.node("SequenceConstruct", {"x"}, {"a"});
    list.output("a");
    tensor.node("Identity", {"x"}, {"b"});
    tensor.output("b");
    model.input("f", ElementType::boolean, {}).input("x", f32, {2}).output("y");
    model.node("If", {"f"}, {"y"}, "choose")
        .with("then_branch", list.graph())
        .with("else_branch", tensor.graph());
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "node 'choose' (If): output 0 of the branches is a tensor here");
}

TEST(OnnxSequenceInLoop, IsNoTensorInTheNextIteration) {
    ModelBuilder model, body;
    body.input("i", ElementType::i64, {}).input("c", ElementType::boolean, {});
    body.input("x", f32, {2}).output("c").output("list");
    body.node("SequenceConstruct", {"x"}, {"list"});
    model.input("n", ElementType::i64, {}).input("x", f32, {2}).output("y");
    model.node("Loop", {"n", "", "x"}, {"y"}, "loop").with("body", body.graph());
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "node 'loop' (Loop): output 1 of the body is a tensor where");
}

TEST(OnnxSequenceInIf, MayHaveAnyLengthWhereTheShapesAreOne) {
    const auto branch = [](const std::vector<std::string>& tensors) {
        ModelBuilder body;
        body.node(tensors.empty() ? "SequenceEmpty" : "SequenceConstruct", tensors, {"list"});
        return body.output("list");
    };
    const auto model_of = [&](const std::vector<std::string>& a,
                              const std::vector<std::string>& b) {
        ModelBuilder model, yes = branch(a), no = branch(b);
        model.input("f", ElementType::boolean, {}).input("x", f32, {2}).input("z", f32, {2});
        model.input("w", f32, {3}).output("y");
        model.node("If", {"f"}, {"list"}, "choose")
            .with("then_branch", yes.graph())
            .with("else_branch", no.graph());
        model.node("ConcatFromSequence", {"list"}, {"y"}).with("axis", 0);
        return model;
    };
    const auto x = tensor_of<float>({2}, {1, 2}), z = tensor_of<float>({2}, {3, 4});
    const auto w = tensor_of<float>({3}, {5, 6, 7});
    const ModelBuilder model = model_of({"x", "z", "x"}, {"z"});
    expect_same(model.run({scalar_of(true), x, z, w}).at(0),
                tensor_of<float>({6}, {1, 2, 3, 4, 1, 2}));
    expect_same(model.run({scalar_of(false), x, z, w}).at(0), z);
    expect_error<UnsupportedError>(
        [&] {
            model_of({"x", "w"}, {"x"}).read();
        },
        "tensors of different shapes are in one sequence");
    expect_error<UnsupportedError>([&] { model_of({"x"}, {}).read(); },
                                   "output 'list': it is an empty sequence");
}

}  // namespace
}  // namespace rondo::onnx::sequence_test
