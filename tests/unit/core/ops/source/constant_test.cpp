#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::constant_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

TEST(Constant, HasItsValuesTypeAndShape) {
    const auto node = named<ops::Constant>(tensor_of<std::int32_t>({2, 1}, {7, -8}));
    EXPECT_EQ(inferred(*node), "i32[2,1]");
    expect_same(node->known_value(0), tensor_of<std::int32_t>({2, 1}, {7, -8}));
    EXPECT_EQ(inferred(*named<ops::Constant>(floats({0, 3}, {}))), "f32[0,3]");
}

TEST(Constant, PrintsTypeAndShape) {
    ops::Constant node(floats({2, 3}, std::vector<float>(6)));
    EXPECT_EQ(attributes_of(node), (Texts{{"element_type", "f32"}, {"shape", "2,3"}}));
    EXPECT_EQ(ops::find_op("Const", "opset1")->type, &ops::Constant::kType);
}

TEST(Constant, TakesAnotherValue) {
    const auto node = named<ops::Constant>(floats({1}, {5}));
    node->set_value(int_scalar(3));
    node->validate();
    EXPECT_EQ(inferred(*node), "i64[]");
    expect_same(node->known_value(0), int_scalar(3));
}

TEST(Constant, CopiesShareMemory) {
    const auto node = named<ops::Constant>(floats({2}, {5, 6}));
    const auto copy = as<ops::Constant>(node->clone_with({}));
    EXPECT_EQ(copy->value().data(), node->value().data());
}

TEST(Constant, MakesIntegers) {
    const auto vector = ops::make_i64({4, -1}, "v");
    EXPECT_EQ(vector->name(), "v");
    expect_same(vector->value(), int_vector({4, -1}));
    EXPECT_EQ(inferred(*ops::make_i64({}, "none")), "i64[0]");
    const auto scalar = ops::make_i64_scalar(kLowest, "s");
    EXPECT_EQ(scalar->name(), "s");
    expect_same(scalar->value(), int_scalar(kLowest));
}

TEST(Constant, RefusesInputsAndNoValue) {
    const auto empty = unchecked<ops::Constant>({});
    expect_error<ModelError>([&] { empty->validate(); },
                             "node 'n' (Const): the constant has no value");
    const auto fed = unchecked<ops::Constant>({parameter("2")});
    expect_error<ModelError>([&] { fed->validate(); }, "got 1 input; expected 0");
}

}  // namespace
}  // namespace rondo::constant_test
