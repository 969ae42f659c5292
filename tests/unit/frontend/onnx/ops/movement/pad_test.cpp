#include <gtest/gtest.h>

#include "core/graph/node.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::pad_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::scalar_of;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;
constexpr ElementType i64 = ElementType::i64;
using Ints = std::vector<std::int64_t>;

const Tensor kData = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});

Tensor ints(const Ints& values) { return tensor_of<std::int64_t>({values.size()}, values); }

// `inputs` after x are initializers; empty handles are omitted.
ModelBuilder model_of(std::int64_t opset, const std::vector<Tensor>& inputs,
                      const std::string& mode = "constant") {
    ModelBuilder model(opset);
    model.input("x", f32, {2, 3}).output("y");
    std::vector<std::string> names{"x"};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        names.push_back(inputs[i] ? "i" + std::to_string(i) : "");
        if (inputs[i]) model.initializer(names.back(), inputs[i]);
    }
    model.node("Pad", names, {"y"}).with("mode", mode);
    return model;
}

Tensor padded(std::int64_t opset, const std::vector<Tensor>& inputs,
              const std::string& mode = "constant") {
    return model_of(opset, inputs, mode).run({kData}).at(0);
}

TEST(OnnxPad, TakesAttributesBeforeOpset11) {
    for (const std::int64_t opset : {1, 2, 10}) {
        ModelBuilder model(opset);
        model.input("x", f32, {2, 3}).output("y");
        model.node("Pad", {"x"}, {"y"})
            .with(opset == 1 ? "paddings" : "pads", Ints{0, 1, 1, 0})
            .with("value", 9.0f);
        expect_same(model.run({kData}).at(0),
                    tensor_of<float>({3, 4}, {9, 1, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9}));
    }
    ModelBuilder plain(2);
    plain.input("x", f32, {2, 3}).output("y");
    plain.node("Pad", {"x"}, {"y"}).with("pads", Ints{0, -1, 0, 0}).with("mode", "edge");
    expect_same(plain.run({kData}).at(0), tensor_of<float>({2, 2}, {2, 3, 5, 6}));
}

TEST(OnnxPad, TakesInputsSinceOpset11) {
    for (const std::int64_t opset : {11, 13, 18, 21}) {
        const Tensor pads = ints({0, 1, 0, 1});
        expect_same(padded(opset, {pads}),
                    tensor_of<float>({2, 5}, {0, 1, 2, 3, 0, 0, 4, 5, 6, 0}));
        expect_same(padded(opset, {pads, scalar_of(7.0f)}),
                    tensor_of<float>({2, 5}, {7, 1, 2, 3, 7, 7, 4, 5, 6, 7}));
        expect_same(padded(opset, {pads}, "edge"),
                    tensor_of<float>({2, 5}, {1, 1, 2, 3, 3, 4, 4, 5, 6, 6}));
        expect_same(padded(opset, {pads}, "reflect"),
                    tensor_of<float>({2, 5}, {2, 1, 2, 3, 2, 5, 4, 5, 6, 5}));
    }
    expect_same(padded(13, {ints({0, 1, 0, 0}), tensor_of<float>({1}, {7})}),
                tensor_of<float>({2, 4}, {7, 1, 2, 3, 7, 4, 5, 6}));
}

TEST(OnnxPad, WrapsSinceOpset19) {
    const Tensor pads = ints({0, 2, 0, 1});
    expect_same(padded(19, {pads}, "wrap"),
                tensor_of<float>({2, 6}, {2, 3, 1, 2, 3, 1, 5, 6, 4, 5, 6, 4}));
    expect_error<ModelError>([&] { padded(18, {pads}, "wrap"); },
                             "attribute 'mode' is 'wrap'; expected constant, reflect, edge or");
}

TEST(OnnxPad, PadsNamedAxesSinceOpset18) {
    const Tensor none;
    expect_same(padded(18, {ints({1, 0}), none, ints({1})}),
                tensor_of<float>({2, 4}, {0, 1, 2, 3, 0, 4, 5, 6}));
    expect_same(padded(18, {ints({1, 0, 0, 1}), none, ints({-1, 0})}),
                tensor_of<float>({3, 4}, {0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0}));
    expect_same(padded(18, {ints({}), none, ints({})}), kData);
    expect_error<ModelError>(
        [&] {
            padded(18, {ints({1, 0}), none, ints({2})});
        },
        "axis 2 is out of range for rank 2");
    expect_error<ModelError>(
        [&] {
            padded(18, {ints({1, 0, 0, 0}), none, ints({1, -1})});
        },
        "axes name axis 1 twice");
    expect_error<ModelError>(
        [&] {
            padded(18, {ints({1, 0, 0, 0}), none, ints({1})});
        },
        "pads has shape [4]; expected [2]");
    expect_error<ModelError>(
        [&] {
            padded(13, {ints({1, 0, 0, 0}), none, ints({1})});
        },
        "input 3 is not known for this operator in this opset");
}

TEST(OnnxPad, ReadsPadsAtRunTime) {
    ModelBuilder model(13);
    model.input("x", f32, {Dimension(), 3}).input("pads", i64, {4}).output("y");
    model.node("Pad", {"x", "pads"}, {"y"});
    expect_same(model.run({kData, ints({0, 0, 1, -1})}).at(0),
                tensor_of<float>({3, 2}, {1, 2, 4, 5, 0, 0}));
    for (const Dimension& count : {Dimension(2), Dimension()}) {
        ModelBuilder named(18);
        named.input("x", f32, {2, 3}).input("pads", i64, {count}).output("y");
        named.initializer("axes", ints({-1}));
        named.node("Pad", {"x", "pads", "", "axes"}, {"y"});
        expect_same(named.run({kData, ints({1, -2})}).at(0),
                    tensor_of<float>({2, 2}, {0, 1, 0, 4}));
    }
}

TEST(OnnxPad, ReadsAxesAtRunTime) {
    for (const PartialShape& shape : {PartialShape{2, 3}, PartialShape()}) {
        ModelBuilder model(18);
        model.input("x", f32, shape).input("pads", i64, {Dimension()}).output("y");
        model.input("axes", i64, {Dimension()});
        model.node("Pad", {"x", "pads", "", "axes"}, {"y"});
        expect_same(model.run({kData, ints({1, -2}), ints({-1})}).at(0),
                    tensor_of<float>({2, 2}, {0, 1, 0, 4}));
        expect_same(model.run({kData, ints({0, -1, 0, 0}), ints({1, 0})}).at(0),
                    tensor_of<float>({1, 3}, {4, 5, 6}));
        expect_error<ModelError>(
            [&] {
                model.run({kData, ints({0, 0}), ints({2})});
            },
            "index 2 is out of range for an axis of extent 2");
    }
}

TEST(OnnxPad, RefusesWrongParts) {
    expect_error<ModelError>(
        [] {
            padded(13, {ints({1, 0, 0})});
        },
        "pads has 3 elements; expected two for each axis");
    expect_error<ModelError>([] { padded(13, {ints({1, 0})}); }, "pads_begin has 1 element");
    expect_error<ModelError>(
        [] {
            padded(13, {ints({1, 0, 0, 0})}, "symmetric");
        },
        "attribute 'mode' is 'symmetric'");
    ModelBuilder model(2);
    model.input("x", f32, {2, 3}).output("y");
    model.node("Pad", {"x"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'pads' is missing");
}

}  // namespace
}  // namespace rondo::onnx::pad_test
