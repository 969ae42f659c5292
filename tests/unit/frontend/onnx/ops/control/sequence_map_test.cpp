#include <gtest/gtest.h>

#include "core/graph/inference.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::sequence_map_test {
namespace {

using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

TEST(OnnxSequenceMap, RunsItsBodyForEachTensor) {
    ModelBuilder model, body;
    body.input("a", f32, {}).input("b", f32, {}).input("c", f32, {});
    body.node("Add", {"a", "b"}, {"ab"});
    body.node("Mul", {"ab", "c"}, {"abc"});
    body.node("Sub", {"abc", "x"}, {"less"});
    body.output("less").output("a");
    model.input("x", f32, {2}).input("z", f32, {2}).output("y").output("first");
    model.node("SequenceConstruct", {"x", "z"}, {"s"});
    model.node("SequenceConstruct", {"z", "z"}, {"t"});
    model.node("SequenceMap", {"s", "t", "x"}, {"u", "same"}, "map").with("body", body.graph());
    model.node("ConcatFromSequence", {"u"}, {"y"}).with("axis", 0);
    model.node("ConcatFromSequence", {"same"}, {"first"}).with("axis", 0);
    check_graph(*model.read());
    const auto x = tensor_of<float>({2}, {1, 2}), z = tensor_of<float>({2}, {3, 4});
    const auto results = model.run({x, z});
    // (x + z) x - x, (z + z) x - x
    expect_same(results.at(0), tensor_of<float>({4}, {3, 10, 5, 14}));
    expect_same(results.at(1), tensor_of<float>({4}, {1, 2, 3, 4}));
}

ModelBuilder model_of_rows() {
    ModelBuilder model;
    model.input("x", f32, {-1, 2}).input("z", f32, {2});
    model.node("SplitToSequence", {"x"}, {"rows"}).with("keepdims", 0);
    return model;
}

TEST(OnnxSequenceMap, RunsItsBodyForEachRow) {
    ModelBuilder model = model_of_rows(), body;
    body.input("a", f32, {}).input("b", f32, {}).input("c", f32, {});
    body.node("Mul", {"a", "b"}, {"ab"});
    body.node("Add", {"ab", "c"}, {"abc"});
    body.node("Sub", {"abc", "outer"}, {"less"});
    body.output("less").output("a");
    model.node("Neg", {"z"}, {"outer"});
    model.node("SequenceMap", {"rows", "rows", "z"}, {"u", "same"}, "map")
        .with("body", body.graph());
    model.node("ConcatFromSequence", {"u"}, {"y"}).with("axis", 0).with("new_axis", 1);
    model.node("ConcatFromSequence", {"same"}, {"first"}).with("axis", 0);
    model.output("y").output("first");
    check_graph(*model.read());
    const auto z = tensor_of<float>({2}, {3, 4});
    const auto results = model.run({tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6}), z});
    expect_same(results.at(0), tensor_of<float>({3, 2}, {7, 12, 15, 24, 31, 44}));
    expect_same(results.at(1), tensor_of<float>({6}, {1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(model.run({Tensor(f32, {0, 2}), z}).at(0).shape(), (Shape{0, 2}));
}

TEST(OnnxSequenceMap, RefusesRowsBesideAListOfKnownLength) {
    ModelBuilder model = model_of_rows(), body;
    body.input("a", f32, {}).input("b", f32, {});
    body.node("Mul", {"a", "b"}, {"ab"});
    body.output("ab");
    model.node("SequenceConstruct", {"z", "z"}, {"pair"});
    model.node("SequenceMap", {"rows", "pair"}, {"u"}, "map").with("body", body.graph());
    model.node("ConcatFromSequence", {"u"}, {"y"}).with("axis", 0);
    model.output("y");
    test::expect_error<UnsupportedError>(
        [&] { model.read(); }, "node 'map' (SequenceMap): input 1 is a sequence of known length");
}

}  // namespace
}  // namespace rondo::onnx::sequence_map_test
