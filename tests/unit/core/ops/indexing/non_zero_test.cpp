#include "core/ops/indexing/indexing_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::non_zero_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

Tensor places(const Tensor& data) { return evaluate_one(ops::NonZero(), {data}); }

Tensor columns(const Shape& shape, const Ints& values) {
    return tensor_of<std::int64_t>(shape, values);
}

TEST(NonZero, ReadsAndWritesItsAttributes) {
    ops::NonZero op;
    EXPECT_EQ(attributes_of(op), (Texts{{"output_type", "i64"}}));
    read_attributes(op, {{"output_type", "i32"}});
    EXPECT_EQ(inferred(*named<ops::NonZero>(parameter("2"), ElementType::i32)), "i32[1,..2]");
    expect_error<ModelError>([] { named<ops::NonZero>(parameter("2"), ElementType::f32); },
                             "node 'n' (NonZero): output_type is f32; expected i64 or i32");
}

TEST(NonZero, BoundsTheNumberOfPlaces) {
    EXPECT_EQ(inferred(*named<ops::NonZero>(parameter("2,3"))), "i64[2,..6]");
    EXPECT_EQ(inferred(*named<ops::NonZero>(parameter("?,3"))), "i64[2,?]");
    EXPECT_EQ(inferred(*named<ops::NonZero>(parameter("2,1..4"))), "i64[2,..8]");
    EXPECT_EQ(inferred(*named<ops::NonZero>(parameter("..."))), "i64[?,?]");
    EXPECT_EQ(inferred(*named<ops::NonZero>(constant(floats({3}, {0, 2, 0})))), "i64[1,1]");
}

TEST(NonZero, NamesThePlacesInOrder) {
    expect_same(places(floats({2, 3}, {1, 0, 2, 0, 3, 0})), columns({2, 3}, {0, 0, 1, 0, 2, 1}));
    expect_same(places(floats({2}, {0, 0})), columns({1, 0}, {}));
    expect_same(places(floats({2}, {-0.0F, std::nanf("")})), columns({1, 1}, {1}));
    EXPECT_EQ(places(scalar_of(1.0F)).shape(), (Shape{0, 1}));
    EXPECT_EQ(places(Tensor(ElementType::u8, {2, 0})).shape(), (Shape{2, 0}));
    for (const ElementType type : kAllTypes) {
        expect_same(places(converted(floats({3}, {1, 0, 1}), type)), columns({1, 2}, {0, 2}));
    }
}

}  // namespace
}  // namespace rondo::non_zero_test
