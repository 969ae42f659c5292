// Tests a part of core/graph/printer.hpp.
#include "core/graph/printer.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::full_text_test {
namespace {

// The text after the attributes of a constant.
std::string value_text(const Tensor& value) {
    const auto node = make_node<ops::Constant>(value);
    node->set_name("c");
    const Graph graph("g", {}, {make_node<ops::Result>(node->output(0))});
    const std::string text = full_text(graph);
    const auto begin = text.find('}') + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(FullText, HasTheValuesOfSmallConstants) {
    EXPECT_EQ(value_text(test::tensor_of<std::int64_t>({2}, {0, -1})), " = 0, -1");
    EXPECT_EQ(value_text(test::tensor_of<std::int8_t>({}, {65})), " = 65");
    EXPECT_EQ(value_text(test::tensor_of<float>({1, 2}, {0.5f, -2})), " = 0.5, -2");
    EXPECT_EQ(value_text(test::tensor_of<bool>({2}, {true, false})), " = true, false");
    EXPECT_EQ(value_text(Tensor(ElementType::f32, {8})), " = 0, 0, 0, 0, 0, 0, 0, 0");
}

TEST(FullText, LeavesOutOthers) {
    EXPECT_EQ(value_text(Tensor(ElementType::f32, {9})), "");
    EXPECT_EQ(value_text(Tensor(ElementType::f32, {0})), "");
    EXPECT_EQ(value_text(Tensor(ElementType::u4, {2})), "");
}

TEST(FullText, IsThePrintersBesides) {
    const auto x = make_node<ops::Parameter>(ElementType::f32, PartialShape::parse("?,4"));
    const auto split = make_node<ops::Split>(x, ops::make_i64_scalar(1, "axis"), 2);
    const Graph graph("g", {x}, {make_node<ops::Result>(split->output(1))});
    std::string text = full_text(graph);
    const std::string value = " = 1\n";
    ASSERT_NE(text.find(value), std::string::npos) << text;
    EXPECT_EQ(text.replace(text.find(value), value.size(), "\n"), to_text(graph));
}

}  // namespace
}  // namespace rondo::full_text_test
