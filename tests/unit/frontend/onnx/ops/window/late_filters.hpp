// What Conv and ConvTranspose demand of filters and biases that come with the run.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {

/// The operator, and the name that its node gets.
struct LateOperator {
    std::string type;
    std::string name;
};

inline ModelBuilder with_late_filters(const LateOperator& op, const PartialShape& x,
                                      const PartialShape& w, const PartialShape& bias) {
    ModelBuilder model(11);
    model.input("x", ElementType::f32, x).input("w", ElementType::f32, w);
    model.input("b", ElementType::f32, bias).output("y");
    model.node(op.type, {"x", "w", "b"}, {"y"}, op.name);
    return model;
}

/// `narrow` are filters that give one channel, `wide` those that give three.
inline void expect_a_bias_for_each_channel(const LateOperator& op, const Tensor& x,
                                           const Tensor& narrow, const Tensor& wide) {
    const Tensor one(ElementType::f32, {1}), three(ElementType::f32, {3});
    const PartialShape open{-1, -1, -1};
    const auto refused = [&](const ModelBuilder& model, const Tensor& w, const Tensor& bias) {
        expect_error<ModelError>([&] { model.run({x, w, bias}); }, "can't be reshaped");
    };
    for (const auto& [w, bias] : {std::pair(narrow, three), std::pair(wide, one)}) {
        expect_error<ModelError>(
            [&] { with_late_filters(op, x.shape(), w.shape(), bias.shape()).read(); },
            "B has shape [");
        refused(with_late_filters(op, open, open, bias.shape()), w, bias);
        refused(with_late_filters(op, open, open, {-1}), w, bias);
        refused(with_late_filters(op, x.shape(), w.shape(), {-1}), w, bias);
    }
    const auto bias = tensor_of<float>({3}, {1, 2, 3});
    const auto expected =
        with_late_filters(op, x.shape(), wide.shape(), {3}).run({x, wide, bias}).at(0);
    EXPECT_EQ(expected.data<float>()[0], 1);
    for (const auto& shape : {PartialShape{3}, PartialShape{-1}, PartialShape()}) {
        const auto model = with_late_filters(op, open, open, shape);
        expect_same(model.run({x, wide, bias}).at(0), expected);
        EXPECT_EQ(model.read()->results()[0]->input(0).node().name(), op.name);
    }
}

inline void expect_extents_of_kernel_shape(const LateOperator& op) {
    constexpr ElementType f32 = ElementType::f32;
    for (const auto& shape : {PartialShape(), PartialShape{-1, -1, -1, -1}}) {
        ModelBuilder model(11);
        model.input("x", f32, {-1, -1, -1, -1}).input("w", f32, shape).output("y");
        model.node(op.type, {"x", "w"}, {"y"}, op.name)
            .with("kernel_shape", std::vector<std::int64_t>{1, 4});
        const Tensor x(f32, {1, 1, 4, 4});
        for (const Shape& other : {Shape{1, 1, 2, 2}, Shape{1, 1, 4, 1}, Shape{1, 1, 1, 1}}) {
            const Tensor w(f32, other);
            expect_error<ModelError>([&] { model.run({x, w}); }, "can't be reshaped");
        }
        ModelBuilder known(11);
        known.input("x", f32, {1, 1, 4, 4}).input("w", f32, {1, 1, 1, 4}).output("y");
        known.node(op.type, {"x", "w"}, {"y"});
        auto rng = test_rng();
        const auto data = random_tensor(f32, {1, 1, 4, 4}, rng);
        const auto w = random_tensor(f32, {1, 1, 1, 4}, rng);
        expect_same(model.run({data, w}).at(0), known.run({data, w}).at(0));
    }
}

}  // namespace rondo::test
