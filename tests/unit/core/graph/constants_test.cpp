#include "core/graph/constants.hpp"

#include <gmock/gmock.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::constants_test {
namespace {

using test::GraphBuilder;
using test::tensor_of;
using testing::ElementsAre;
using testing::Optional;

TEST(Constants, KnowsConstantsAndShapesOnly) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]", ElementType::i64);
    EXPECT_FALSE(known_value(x));
    EXPECT_TRUE(known_value(b.ints({1})));
    EXPECT_TRUE(known_value(b.make<ops::ShapeOf>("", x)));
    EXPECT_FALSE(known_value(b.make<ops::ShapeOf>("", b.input("y", "[2,?]"))));
}

TEST(Constants, IntsAreIntegersOfRank0Or1) {
    GraphBuilder b;
    EXPECT_THAT(constant_ints(b.ints({3, -1})), Optional(ElementsAre(3, -1)));
    EXPECT_THAT(constant_ints(b.constant(tensor_of<std::int32_t>({}, {7}))),
                Optional(ElementsAre(7)));
    EXPECT_EQ(constant_ints(b.constant(tensor_of<std::int64_t>({1, 1}, {7}))), std::nullopt);
    EXPECT_EQ(constant_ints(b.constant(tensor_of<float>({1}, {7}))), std::nullopt);
    EXPECT_EQ(constant_ints(b.input("x", "[1]", ElementType::i64)), std::nullopt);
}

TEST(Constants, ScalarIsTheOnlyElementOfAnyType) {
    GraphBuilder b;
    EXPECT_THAT(constant_scalar(b.constant(tensor_of<float>({1, 1}, {0.5F}))), Optional(0.5));
    EXPECT_THAT(constant_scalar(b.constant(tensor_of<float16, double>({}, {2}))), Optional(2.0));
    EXPECT_THAT(constant_scalar(b.constant(tensor_of<bfloat16, double>({}, {4}))), Optional(4.0));
    EXPECT_THAT(constant_scalar(b.constant(tensor_of<double>({}, {0.1}))), Optional(0.1));
    EXPECT_THAT(constant_scalar(b.constant(tensor_of<std::int32_t>({}, {-3}))), Optional(-3.0));
    EXPECT_EQ(constant_scalar(b.ints({1, 2})), std::nullopt);
    EXPECT_EQ(constant_scalar(b.constant(tensor_of<bool, int>({}, {1}))), std::nullopt);
}

TEST(Constants, NormalizesAxes) {
    EXPECT_THAT(normalized_axes({-1, 0}, 3), Optional(ElementsAre(2, 0)));
    EXPECT_EQ(normalized_axes({3}, 3), std::nullopt);
    EXPECT_EQ(normalized_axes({-4}, 3), std::nullopt);
}

TEST(Constants, CountsConsumers) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    EXPECT_FALSE(has_sole_consumer(x));
    const auto first = b.make<ops::Unary>("", ops::UnaryFunction::relu, x);
    EXPECT_TRUE(has_sole_consumer(x));
    const auto second = b.make<ops::Unary>("", ops::UnaryFunction::relu, x);
    EXPECT_FALSE(has_sole_consumer(x));
}

TEST(Constants, ZeroBits) {
    EXPECT_TRUE(has_zero_bits(test::tensor_of<float>({2}, {0, 0})));
    EXPECT_FALSE(has_zero_bits(test::tensor_of<float>({2}, {0, -0.0F})));
    EXPECT_FALSE(has_zero_bits(test::tensor_of<float>({2}, {1, 0})));
    EXPECT_TRUE(has_zero_bits(Tensor(ElementType::f32, {0}))) << "there is no other element";
    EXPECT_FALSE(has_zero_bits({}));
}

}  // namespace
}  // namespace rondo::constants_test
