// Tests a part of frontend/onnx/graph_inputs.hpp.
#include "frontend/onnx/graph_inputs.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::initializers_test {
namespace {

using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

TEST(Initializers, OneThatIsListedTwiceInWhateverFormIsTakenOnce) {
    ModelBuilder model;
    const Tensor w = tensor_of<float>({2}, {10, 20});
    model.input("x", ElementType::f32, {2}).input("w", ElementType::f32, {2}).output("y");
    model.initializer("w", w).initializer("other", scalar_of<float>(1)).initializer("w", w);
    auto& typed = *model.graph().add_initializer();
    typed = test::to_message("w", w);
    typed.clear_raw_data();
    typed.add_float_data(10);
    typed.add_float_data(20);
    auto& sparse = *model.graph().add_sparse_initializer();
    *sparse.mutable_values() = test::to_message("w", w);
    *sparse.mutable_indices() = test::to_message("", tensor_of<std::int64_t>({2}, {0, 1}));
    sparse.add_dims(2);
    model.node("Add", {"x", "w"}, {"y"});
    expect_same(model.run({tensor_of<float>({2}, {1, 2})}).at(0), tensor_of<float>({2}, {11, 22}));
}

TEST(Initializers, OneThatIsListedTwiceAndDiffersIsRefused) {
    const auto message_of = [](const Tensor& first, const Tensor& second) {
        ModelBuilder model;
        model.initializer("w", first).initializer("w", second).output("w");
        try {
            model.read();
        } catch (const ModelError& error) {
            return std::string(error.what());
        }
        return std::string("read without an error");
    };
    const Tensor w = tensor_of<float>({2}, {1, 2});
    EXPECT_EQ(message_of(w, tensor_of<float>({2}, {1, -2})),
              "model.onnx: the tensor 'w' is defined twice, with different elements");
    EXPECT_EQ(message_of(tensor_of<float>({1}, {0}), tensor_of<float>({1}, {-0.0f})),
              "model.onnx: the tensor 'w' is defined twice, with different elements");
    EXPECT_EQ(message_of(w, tensor_of<float>({1, 2}, {1, 2})),
              "model.onnx: the tensor 'w' is defined twice, as f32[2] and as f32[1,2]");
    EXPECT_EQ(
        message_of(tensor_of<std::int32_t>({2}, {1, 2}), tensor_of<std::uint32_t>({2}, {1, 2})),
        "model.onnx: the tensor 'w' is defined twice, as i32[2] and as u32[2]");
}

// Each body has initializers of its own.
TEST(Initializers, ThoseOfBodiesAreComparedToo) {
    ModelBuilder model, yes;
    yes.initializer("w", tensor_of<float>({1}, {1})).initializer("w", tensor_of<float>({1}, {1}));
    yes.output("w");
    model.input("c", ElementType::boolean, {}).output("y");
    model.node("If", {"c"}, {"y"})
        .with("then_branch", yes.graph())
        .with("else_branch", yes.graph());
    expect_same(model.run({scalar_of<bool>(true)}).at(0), tensor_of<float>({1}, {1}));
    yes.initializer("w", tensor_of<float>({1}, {2}));
    ModelBuilder other;
    other.input("c", ElementType::boolean, {}).output("y");
    other.node("If", {"c"}, {"y"})
        .with("then_branch", yes.graph())
        .with("else_branch", yes.graph());
    test::expect_error<ModelError>([&] { other.read(); }, "the tensor 'w' is defined twice, with");
}

}  // namespace
}  // namespace rondo::onnx::initializers_test
