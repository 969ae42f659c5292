// Tests a part of core/ops/movement/movement_ops.hpp.
#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::bit_cast_test {
namespace {

using namespace test;  // NOLINT: tests only

TEST(BitCast, KeepsTheShape) {
    EXPECT_EQ(inferred(*named<ops::BitCast>(parameter("2,?"), ElementType::i32)), "i32[2,?]");
    EXPECT_EQ(
        inferred(*named<ops::BitCast>(parameter("...", ElementType::dynamic), ElementType::u8)),
        "u8[...]");
    ops::BitCast op;
    read_attributes(op, {{"output_type", "bf16"}});
    EXPECT_EQ(attributes_of(op).front().second, "bf16");
}

TEST(BitCast, RefusesOtherSizes) {
    expect_error<ModelError>([] { named<ops::BitCast>(parameter("2"), ElementType::i64); },
                             "node 'n' (BitCast): the data is f32, output_type is i64; expected a "
                             "type of the same size");
    expect_error<UnsupportedError>(
        [] { named<ops::BitCast>(parameter("2", ElementType::u8), ElementType::boolean); },
        "boolean; expected numbers");
}

TEST(BitCast, KeepsTheBytes) {
    expect_same(
        evaluate_one(ops::BitCast(parameter("..."), ElementType::i32), {floats({2}, {1, -0.0F})}),
        tensor_of<std::int32_t>({2}, {0x3f800000, std::numeric_limits<int>::min()}));
    expect_same(evaluate_one(ops::BitCast(parameter("...", ElementType::i8), ElementType::u8),
                             {tensor_of<std::int8_t>({1}, {-1})}),
                tensor_of<std::uint8_t>({1}, {255}));
}

}  // namespace
}  // namespace rondo::bit_cast_test
