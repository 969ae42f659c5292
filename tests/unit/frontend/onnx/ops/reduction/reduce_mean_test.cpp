#include <gtest/gtest.h>

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
using Ints = std::vector<std::int64_t>;

const Tensor kData = tensor_of<float>({2, 3}, {1, 2, 3, 5, 6, 7});

// `axes` as an attribute before opset 18, else as an initializer; null where it is absent.
ModelBuilder mean(std::int64_t opset, const Ints* axes, bool keepdims) {
    ModelBuilder model(opset);
    model.input("x", f32, {2, 3}).output("y");
    std::vector<std::string> inputs = {"x"};
    if (axes && opset >= 18) {
        model.initializer("axes", tensor_of<std::int64_t>({axes->size()}, *axes));
        inputs.push_back("axes");
    }
    auto node = model.node("ReduceMean", inputs, {"y"}).with("keepdims", keepdims ? 1 : 0);
    if (axes && opset < 18) node.with("axes", *axes);
    return model;
}

TEST(OnnxReduceMean, AveragesAxes) {
    for (const std::int64_t opset : {7, 11, 13, 18}) {
        const Ints last = {1};
        expect_same(mean(opset, &last, true).run({kData}).at(0), tensor_of<float>({2, 1}, {2, 6}));
        expect_same(mean(opset, &last, false).run({kData}).at(0), tensor_of<float>({2}, {2, 6}));
        const Ints first = {-2};
        expect_same(mean(opset, &first, false).run({kData}).at(0),
                    tensor_of<float>({3}, {3, 4, 5}));
        expect_same(mean(opset, nullptr, true).run({kData}).at(0), tensor_of<float>({1, 1}, {4}));
        expect_same(mean(opset, nullptr, false).run({kData}).at(0), scalar_of<float>(4));
    }
}

// No axes mean all, unless noop_with_empty_axes.
TEST(OnnxReduceMean, HonoursEmptyAxes) {
    const Ints none;
    for (const Ints* axes : {static_cast<const Ints*>(nullptr), &none}) {
        expect_same(mean(18, axes, false).run({kData}).at(0), scalar_of<float>(4));
        auto model = mean(18, axes, false);
        test::NodeBuilder(*model.graph().mutable_node(0)).with("noop_with_empty_axes", 1);
        expect_same(model.run({kData}).at(0), kData);
    }
    expect_same(mean(11, &none, false).run({kData}).at(0), scalar_of<float>(4));
}

TEST(OnnxReduceMean, RefusesWhatItCantKnow) {
    auto model = mean(13, nullptr, true);
    model.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
    expect_error<UnsupportedError>([&] { model.read(); },
                                   "it reduces all axes, but the data's rank isn't known");
    ModelBuilder open(18);
    open.input("x", f32, {2, 3}).input("axes", i64, {Dimension()}).output("y");
    open.node("ReduceMean", {"x", "axes"}, {"y"});
    expect_error<UnsupportedError>([&] { open.read(); }, "the number of axes isn't known");
}

}  // namespace
}  // namespace rondo::onnx
