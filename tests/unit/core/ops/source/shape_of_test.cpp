#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::shape_of_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string type_and_shape(std::string_view data, ElementType type = ElementType::i64) {
    return inferred(*named<ops::ShapeOf>(parameter(data), type));
}

TEST(ShapeOf, ReadsAndWritesItsAttributes) {
    ops::ShapeOf op;
    EXPECT_EQ(attributes_of(op), (Texts{{"output_type", "i64"}}));
    read_attributes(op, {{"output_type", "i32"}});
    EXPECT_EQ(op.output_type(), ElementType::i32);
}

TEST(ShapeOf, ReadsTheOlderForm) {
    const auto* entry = ops::find_op("ShapeOf", "opset1");
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->type->opset, 1);
    EXPECT_EQ(attributes_of(*entry->make()), (Texts{{"output_type", "i64"}}));
    EXPECT_EQ(entry->make()->op_type().opset, 3);
}

TEST(ShapeOf, HasAnElementAnAxis) {
    EXPECT_EQ(type_and_shape("2,?,4"), "i64[3]");
    EXPECT_EQ(type_and_shape("", ElementType::i32), "i32[0]");
    EXPECT_EQ(type_and_shape("..."), "i64[?]");
}

TEST(ShapeOf, KnowsTheValueOfAStaticShape) {
    expect_same(named<ops::ShapeOf>(parameter("2,3"))->known_value(0), int_vector({2, 3}));
    expect_same(named<ops::ShapeOf>(parameter("2,3"), ElementType::i32)->known_value(0),
                tensor_of<std::int32_t>({2}, {2, 3}));
    EXPECT_FALSE(named<ops::ShapeOf>(parameter("2,?"))->known_value(0));
    EXPECT_FALSE(named<ops::ShapeOf>(parameter("..."))->known_value(0));
}

TEST(ShapeOf, RefusesWrongInputs) {
    expect_error<ModelError>([] { type_and_shape("2", ElementType::f32); },
                             "node 'n' (ShapeOf): output_type is f32; expected i64 or i32");
    expect_error<ModelError>([] { type_and_shape("2147483648", ElementType::i32); },
                             "the extents of data of shape [2147483648] don't fit in i32");
    const auto none = unchecked<ops::ShapeOf>({});
    expect_error<ModelError>([&] { none->validate(); }, "got 0 inputs; expected 1");
}

TEST(ShapeOf, TellsTheShape) {
    ops::ShapeOf narrow;
    read_attributes(narrow, {{"output_type", "i32"}});
    for (const ElementType type : kAllTypes) {
        expect_same(evaluate_one(ops::ShapeOf(), {Tensor(type, {2, 0, 3})}), int_vector({2, 0, 3}));
    }
    expect_same(evaluate_one(narrow, {counting({4})}), tensor_of<std::int32_t>({1}, {4}));
    expect_same(evaluate_one(ops::ShapeOf(), {counting({})}), int_vector({}));
}

}  // namespace
}  // namespace rondo::shape_of_test
