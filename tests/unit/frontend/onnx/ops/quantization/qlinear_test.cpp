#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::qlinear_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::scalar_of;
using test::tensor_of;

// All inputs come with the run; an empty one is left out.
struct Node {
    const char* op_type;
    std::vector<Tensor> inputs;

    ModelBuilder model() const {
        ModelBuilder model(17);
        auto* import = model.message().add_opset_import();
        import->set_domain("com.microsoft");
        import->set_version(1);
        std::vector<std::string> names;
        for (const Tensor& input : inputs) {
            names.push_back(input ? "in_" + std::to_string(names.size()) : "");
            if (input) model.input(names.back(), input.element_type(), input.shape());
        }
        model.output("y").node(op_type, names, {"y"}, "q").domain("com.microsoft");
        return model;
    }

    Tensor run(const ModelBuilder& model) const {
        std::vector<Tensor> given;
        for (const Tensor& input : inputs) {
            if (input) given.push_back(input);
        }
        return model.run(given).at(0);
    }
    Tensor run() const { return run(model()); }
};

Tensor bytes(const Shape& shape, const std::vector<int>& values) {
    return tensor_of<std::uint8_t, int>(shape, values);
}

const Tensor kX = bytes({2, 2}, {10, 20, 30, 40});
const Tensor kHalf = scalar_of(0.5F), kOne = scalar_of(1.0F), kTwo = scalar_of(2.0F);
const Tensor kTen = scalar_of<std::uint8_t>(10), kFive = scalar_of<std::uint8_t>(5);

test::NodeBuilder first(ModelBuilder& model) {
    return test::NodeBuilder(*model.graph().mutable_node(0));
}

TEST(OnnxQLinear, AddsAndMultiplies) {
    const Tensor row = bytes({2}, {7, 9});
    // x means 0 5 10 15, the row 2 4.
    expect_same((Node{"QLinearAdd", {kX, kHalf, kTen, row, kOne, kFive, kTwo, kFive}}.run()),
                bytes({2, 2}, {6, 9, 11, 15}));
    expect_same((Node{"QLinearMul", {kX, kHalf, kTen, row, kOne, kFive, kTwo, kFive}}.run()),
                bytes({2, 2}, {5, 15, 15, 35}));
    expect_same((Node{"QLinearAdd", {kX, kOne, {}, row, kOne, {}, kOne}}.run()),
                bytes({2, 2}, {17, 29, 37, 49}));
}

TEST(OnnxQLinear, ChoosesAndReduces) {
    // x means 0 5 10 15; the result has steps of 2 from 5 on.
    const Tensor yes = tensor_of<bool>({2, 1}, {true, false});
    expect_same(
        (Node{"QLinearWhere", {yes, kX, kHalf, kTen, bytes({1}, {8}), kTwo, kFive, kTwo, kFive}}
             .run()),
        bytes({2, 2}, {5, 7, 8, 8}));
    auto mean = Node{"QLinearReduceMean", {kX, kHalf, kTen, kTwo, kFive}};
    auto model = mean.model();
    first(model).with("axes", std::vector<std::int64_t>{0}).with("keepdims", 0);
    expect_same(mean.run(model), bytes({2}, {7, 10}));
    // Equal numbers are halves, in steps of 1 / 256.
    auto soft = Node{"QLinearSoftmax",
                     {bytes({2, 2}, {3, 3, 9, 9}), kOne, {}, scalar_of(1 / 256.0F), kTen}};
    auto new_form = soft.model();
    first(new_form).with("opset", 13);
    expect_same(soft.run(new_form), bytes({2, 2}, {138, 138, 138, 138}));
    auto old_form = soft.model();
    first(old_form).with("opset", 12).with("axis", 0);
    expect_same(soft.run(old_form), bytes({2, 2}, {10, 10, 138, 138}));
}

TEST(OnnxQLinear, PoolsAverages) {
    const Tensor x = bytes({1, 1, 4}, {12, 14, 16, 18});  // 1 2 3 4
    auto pool = Node{"QLinearAveragePool", {x, kHalf, kTen, kHalf, kTen}};
    auto model = pool.model();
    first(model).with("kernel_shape", std::vector<std::int64_t>{2});
    expect_same(pool.run(model), bytes({1, 1, 3}, {13, 15, 17}));
    auto last = Node{"QLinearAveragePool", {x.reshaped({1, 4, 1}), kHalf, kTen, kHalf, kTen}};
    auto turned = last.model();
    first(turned)
        .with("kernel_shape", std::vector<std::int64_t>{2})
        .with("channels_last", 1)
        .with("pads", std::vector<std::int64_t>{1, 0})
        .with("count_include_pad", 1);
    expect_same(last.run(turned), bytes({1, 4, 1}, {11, 13, 15, 17}));
}

TEST(OnnxQLinear, AppliesFunctions) {
    const Tensor zero = scalar_of<std::uint8_t>(30);
    // x means -20 -10 0 10.
    auto leaky = Node{"QLinearLeakyRelu", {kX, kOne, zero, kHalf, kTen}};
    auto model = leaky.model();
    first(model).with("alpha", 0.1F);
    expect_same(leaky.run(model), bytes({2, 2}, {6, 8, 10, 30}));
    expect_same((Node{"QLinearSigmoid", {kX, kOne, zero, scalar_of(1 / 256.0F)}}.run()),
                bytes({2, 2}, {0, 0, 128, 255}));
}

TEST(OnnxQLinear, ConcatenatesParts) {
    const auto node = Node{"QLinearConcat", {kOne, kFive, kX, kHalf, kTen, kX, kTwo, kTen}};
    auto model = node.model();
    expect_error<ModelError>([&] { model.read(); }, "attribute 'axis' is missing");
    first(model).with("axis", 1);
    expect_same(node.run(model), bytes({2, 4}, {5, 10, 5, 25, 15, 20, 45, 65}));
    auto two = Node{"QLinearConcat", {kOne, kFive, kX, kHalf}}.model();
    first(two).with("axis", 1);
    expect_error<ModelError>([&] { two.read(); }, "there are 4 inputs; expected 2 and 3 for each");
}

TEST(OnnxQLinear, PoolsOverAllPlaces) {
    const Tensor x = bytes({1, 2, 2}, {10, 12, 20, 30});
    const auto node = Node{"QLinearGlobalAveragePool", {x, kOne, kTen, kHalf, kFive}};
    expect_same(node.run(), bytes({1, 2, 1}, {7, 35}));
    auto last = node.model();
    first(last).with("channels_last", 1);
    expect_same(node.run(last), bytes({1, 1, 2}, {15, 27}));
    expect_error<ModelError>(
        [] {
            Node{"QLinearGlobalAveragePool", {kX, kOne, kTen, kHalf, kFive}}.run();
        },
        "X has shape [2,2]; expected rank 3 or more");
}

TEST(OnnxQLinear, RefusesOtherTypes) {
    expect_error<UnsupportedError>(
        [] {
            Node{"QLinearSigmoid", {tensor_of<float>({1}, {1}), kOne, {}, kOne}}.run();
        },
        "the data has type f32; expected u8 or i8");
}

}  // namespace
}  // namespace rondo::onnx::qlinear_test
