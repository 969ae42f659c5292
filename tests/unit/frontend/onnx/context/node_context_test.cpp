#include "frontend/onnx/context/node_context.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::node_context_test {
namespace {

using test::expect_error;

class OnnxNodeContext : public testing::Test {
protected:
    NodeContext context(std::vector<Output> inputs) {
        node_.set_op_type("Test");
        return {node_, "test", 17, std::move(inputs), {names_, tensors_}};
    }

    rondo_onnx::NodeProto node_;
    UniqueNames names_;
    TensorReader tensors_;
    Output x_ = make_node<ops::Parameter>(ElementType::f32, PartialShape{2, 3});
};

TEST_F(OnnxNodeContext, TellsOmittedInputsFromGivenOnes) {
    auto node = context({x_, Output(), x_, Output(), Output()});
    EXPECT_EQ(node.input_count(), 3u);
    EXPECT_TRUE(node.has_input(0));
    EXPECT_FALSE(node.has_input(1));
    EXPECT_TRUE(node.has_input(2));
    EXPECT_FALSE(node.has_input(7));
    EXPECT_EQ(node.input(2), x_);
    EXPECT_FALSE(node.optional_input(1));
    expect_error<ModelError>([&] { node.input(1); }, "input 1 is missing");
    expect_error<ModelError>([&] { node.input(9); }, "input 9 is missing");
    expect_error<ModelError>([&] { node.all_inputs(1); }, "input 1 is missing");
    expect_error<ModelError>([&] { context({}).all_inputs(1); }, "input 0 is missing");
}

TEST_F(OnnxNodeContext, RefusesInputsThatNobodyRead) {
    auto node = context({x_, x_});
    node.input(0);
    expect_error<ModelError>([&] { node.check_all_read(); },
                             "input 1 is not known for this operator in this opset");
    node.input(1);
    node.check_all_read();
}

TEST_F(OnnxNodeContext, KnowsWhichOutputsHaveNames) {
    node_.add_output("");
    node_.add_output("y");
    const auto node = context({});
    EXPECT_FALSE(node.has_output(0));
    EXPECT_TRUE(node.has_output(1));
    EXPECT_FALSE(node.has_output(2));
}

TEST_F(OnnxNodeContext, NamesWhatItMakes) {
    auto node = context({x_});
    names_.take("test");
    EXPECT_EQ(node.make<ops::Unary>("", ops::UnaryFunction::relu, x_)->name(), "test");
    EXPECT_EQ(node.make<ops::Unary>("part", ops::UnaryFunction::relu, x_)->name(), "test/part");
    EXPECT_EQ(node.make<ops::Unary>("part", ops::UnaryFunction::relu, x_)->name(), "test/part_1");
    EXPECT_EQ(node.make<ops::Unary>("", ops::UnaryFunction::relu, x_)->name(), "test_1");
}

TEST_F(OnnxNodeContext, ChecksShapesAndTypes) {
    NodeContext::check_shape(x_, {2, Dimension()}, "X");
    expect_error<ModelError>(
        [&] {
            NodeContext::check_shape(x_, {2, 4}, "X");
        },
        "X has shape [2,3]; expected [2,4]");
    expect_error<ModelError>([&] { NodeContext::check_shape(x_, PartialShape::of_rank(1), "X"); },
                             "X has shape [2,3]; expected [?]");
    EXPECT_EQ(NodeContext::known_type(x_, "X"), ElementType::f32);
    const Output open = make_node<ops::Parameter>(ElementType::dynamic, PartialShape());
    expect_error<UnsupportedError>([&] { NodeContext::known_type(open, "X"); },
                                   "the element type of X isn't known");
}

}  // namespace
}  // namespace rondo::onnx::node_context_test
