#include <gtest/gtest.h>

#include "core/graph/validator.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx {
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

}  // namespace
}  // namespace rondo::onnx
