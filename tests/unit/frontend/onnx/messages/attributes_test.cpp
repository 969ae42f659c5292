#include "frontend/onnx/messages/attributes.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::attributes_test {
namespace {

using test::expect_error;
using test::NodeBuilder;

TEST(OnnxAttributes, FindsEveryType) {
    rondo_onnx::NodeProto node;
    NodeBuilder(node)
        .with("int", 3)
        .with("float", 1.5f)
        .with("string", "text")
        .with("ints", std::vector<std::int64_t>{1, 2})
        .with("floats", std::vector<float>{0.5f})
        .with("strings", std::vector<std::string>{"a", "b"})
        .with("tensor", test::scalar_of<float>(7));
    Attributes attributes(node);
    EXPECT_EQ(attributes.find_int("int"), 3);
    EXPECT_EQ(attributes.find_float("float"), 1.5f);
    EXPECT_EQ(attributes.find_string("string"), "text");
    EXPECT_EQ(attributes.find_ints("ints"), (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(attributes.find_floats("floats"), (std::vector<float>{0.5f}));
    EXPECT_EQ(attributes.find_strings("strings"), (std::vector<std::string>{"a", "b"}));
    ASSERT_NE(attributes.find_tensor("tensor"), nullptr);
    attributes.check_all_read();
}

TEST(OnnxAttributes, GivesNothingForAbsentOnes) {
    const rondo_onnx::NodeProto node;
    Attributes attributes(node);
    EXPECT_FALSE(attributes.find_int("axis"));
    EXPECT_FALSE(attributes.find_ints("axes"));
    EXPECT_EQ(attributes.find_tensor("value"), nullptr);
    EXPECT_FALSE(attributes.has("axis"));
    EXPECT_TRUE(attributes.flag("keepdims", true));
    EXPECT_FALSE(attributes.flag("keepdims", false));
}

TEST(OnnxAttributes, ChecksTypes) {
    rondo_onnx::NodeProto node;
    NodeBuilder(node).with("axis", 1.0f).with("axes", 1);
    Attributes attributes(node);
    expect_error<ModelError>([&] { attributes.find_int("axis"); },
                             "attribute 'axis' is FLOAT; expected INT");
    expect_error<ModelError>([&] { attributes.find_ints("axes"); },
                             "attribute 'axes' is INT; expected INTS");
    expect_error<ModelError>([&] { attributes.find_tensor("axes"); }, "expected TENSOR");
    expect_error<ModelError>([&] { attributes.find_strings("axes"); }, "expected STRINGS");
    expect_error<ModelError>([&] { attributes.find_floats("axes"); }, "expected FLOATS");
    expect_error<ModelError>([&] { attributes.find_string("axes"); }, "expected STRING");
    expect_error<ModelError>([&] { attributes.find_float("axes"); }, "expected FLOAT");
}

// Files of the first IR versions don't say the type.
TEST(OnnxAttributes, GuessesAMissingTypeFromTheField) {
    rondo_onnx::NodeProto node;
    auto& attribute = *node.add_attribute();
    attribute.set_name("axis");
    attribute.set_i(4);
    Attributes attributes(node);
    EXPECT_EQ(attributes.find_int("axis"), 4);
    expect_error<ModelError>([&] { attributes.find_float("axis"); }, "is INT; expected FLOAT");
    attribute.clear_i();
    expect_error<ModelError>([&] { attributes.find_int("axis"); }, "is of an unknown type");
}

TEST(OnnxAttributes, WantsFlagsToBeZeroOrOne) {
    rondo_onnx::NodeProto node;
    NodeBuilder(node).with("keepdims", 2);
    Attributes attributes(node);
    expect_error<ModelError>([&] { attributes.flag("keepdims", true); },
                             "attribute 'keepdims' is 2; expected 0 or 1");
}

TEST(OnnxAttributes, RefusesWhatNobodyRead) {
    rondo_onnx::NodeProto node;
    NodeBuilder(node).with("axis", 1).with("novelty", 1);
    Attributes attributes(node);
    attributes.find_int("axis");
    expect_error<UnsupportedError>([&] { attributes.check_all_read(); },
                                   "attribute 'novelty' is not known for this operator");
}

TEST(OnnxAttributes, RefusesDuplicatesAndReferences) {
    rondo_onnx::NodeProto node;
    NodeBuilder(node).with("axis", 1).with("axis", 2);
    expect_error<ModelError>([&] { Attributes attributes(node); },
                             "attribute 'axis' is given twice");
    node.mutable_attribute()->RemoveLast();
    node.mutable_attribute(0)->set_ref_attr_name("outer");
    Attributes attributes(node);
    expect_error<ModelError>([&] { attributes.find_int("axis"); },
                             "attribute 'axis' refers to 'outer', an attribute of a function");
}

}  // namespace
}  // namespace rondo::onnx::attributes_test
