#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"

namespace rondo::parameter_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

TEST(Parameter, HasTheDeclaredTypeAndShape) {
    EXPECT_EQ(inferred(parameter("2,?,3..5", ElementType::i32).node()), "i32[2,?,3..5]");
    EXPECT_EQ(inferred(parameter("...").node()), "f32[...]");
    EXPECT_FALSE(parameter("2").node().known_value(0));
}

TEST(Parameter, ReadsAndWritesItsAttributes) {
    ops::Parameter node;
    EXPECT_EQ(node.element_type(), ElementType::dynamic);
    const Texts texts{{"shape", "2,?"}, {"element_type", "f16"}};
    read_attributes(node, {texts.begin(), texts.end()});
    EXPECT_EQ(attributes_of(node), texts);
    EXPECT_EQ(ops::find_op("Parameter", "opset1")->type, &ops::Parameter::kType);
}

TEST(Parameter, TakesAnotherShapeWithTheNextValidation) {
    const auto node = make_node<ops::Parameter>(ElementType::f32, PartialShape::parse("2,?"));
    node->set_shape({2, 7});
    EXPECT_EQ(inferred(*node), "f32[2,?]");
    node->validate();
    EXPECT_EQ(inferred(*node), "f32[2,7]");
}

TEST(Parameter, RefusesInputs) {
    const auto fed = unchecked<ops::Parameter>({parameter("2")});
    expect_error<ModelError>([&] { fed->validate(); },
                             "node 'n' (Parameter): got 1 input; expected 0");
}

}  // namespace
}  // namespace rondo::parameter_test
