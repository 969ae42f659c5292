#include "core/ops/elementwise/elementwise_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::convert_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::shared_ptr<ops::Convert> convert_to(ElementType type) {
    const auto node = unchecked<ops::Convert>({});
    read_attributes(*node, {{"destination_type", std::string(to_string(type))}});
    return node;
}

Tensor convert(const Tensor& data, ElementType type) {
    return evaluate_one(*convert_to(type), {data});
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Convert, ReadsAndWritesItsAttributes) {
    ops::Convert op;
    read_attributes(op, {{"destination_type", "f16"}});
    EXPECT_EQ(attributes_of(op), (Texts{{"destination_type", "f16"}}));
    EXPECT_EQ(ops::find_op("Convert", "opset13")->type, &ops::Convert::kType);
}

TEST(Convert, WritesHowItRoundsWhereThatIsNotTheDefault) {
    ops::Convert op;
    read_attributes(
        op, {{"destination_type", "f8e8m0"}, {"saturate", "false"}, {"round_mode", "nearest"}});
    EXPECT_EQ(
        attributes_of(op),
        (Texts{{"destination_type", "f8e8m0"}, {"saturate", "false"}, {"round_mode", "nearest"}}));
}

TEST(Convert, KeepsTheShape) {
    EXPECT_EQ(inferred(*named<ops::Convert>(parameter("2,?"), ElementType::i8)), "i8[2,?]");
    EXPECT_EQ(inferred(*named<ops::Convert>(parameter("..."), ElementType::boolean)),
              "boolean[...]");
}

TEST(Convert, RefusesWrongInputs) {
    const auto aimless = unchecked<ops::Convert>({parameter("2")});
    expect_error<ModelError>([&] { aimless->validate(); },
                             "node 'n' (Convert): destination_type is missing");
    const auto none = unchecked<ops::Convert>({});
    expect_error<ModelError>([&] { none->validate(); }, "got 0 inputs; expected 1");
}

TEST(Convert, GoesBetweenAllTypes) {
    for (const ElementType from : kAllTypes) {
        for (const ElementType to : kAllTypes) {
            SCOPED_TRACE(std::string(to_string(from)) + " to " + std::string(to_string(to)));
            const bool has_boolean = from == ElementType::boolean || to == ElementType::boolean;
            const auto values = floats({3}, {0, 1, has_boolean ? 1.0f : 100.0f});
            expect_same(convert(converted(values, from), to), converted(values, to));
        }
    }
}

TEST(Convert, CutsTowardsZeroAndSaturates) {
    const auto data =
        floats({9}, {1.7f, -1.7f, 300, -300, kNan, kInfinity, -kInfinity, 3e9f, 0.5f});
    expect_same(convert(data, ElementType::i8),
                tensor_of<std::int8_t>({9}, {1, -1, 127, -128, 0, 127, -128, 127, 0}));
    expect_same(convert(data, ElementType::u8),
                tensor_of<std::uint8_t>({9}, {1, 0, 255, 0, 0, 255, 0, 255, 0}));
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    expect_same(convert(data, ElementType::i32),
                tensor_of<std::int32_t>({9}, {1, -1, 300, -300, 0, kMost, -kMost - 1, kMost, 0}));
    expect_same(convert(floats({4}, {9.3e18f, -9.3e18f, 1e18f, kNan}), ElementType::i64),
                int_vector({kHighest, kLowest, 999999984306749440, 0}));
    expect_same(convert(floats({3}, {1.9e19f, -1, 0x1.8p63f}), ElementType::u64),
                tensor_of<std::uint64_t>({3}, {18446744073709551615u, 0, 13835058055282163712u}));
}

TEST(Convert, KeepsTheLowestBitsOfIntegers) {
    expect_same(convert(int_vector({300, -1, kHighest, kLowest}), ElementType::i8),
                tensor_of<std::int8_t>({4}, {44, -1, -1, 0}));
    expect_same(convert(int_vector({300, -1, 128}), ElementType::u8),
                tensor_of<std::uint8_t>({3}, {44, 255, 128}));
    expect_same(convert(tensor_of<std::int8_t>({1}, {-1}), ElementType::u64),
                tensor_of<std::uint64_t>({1}, {18446744073709551615u}));
    expect_same(convert(tensor_of<std::uint64_t>({1}, {18446744073709551615u}), ElementType::i64),
                int_vector({-1}));
    Tensor narrow(ElementType::i4, {3});
    const std::uint8_t codes[] = {0xf, 0x8, 0x7};
    std::copy_n(codes, 3, static_cast<std::uint8_t*>(narrow.data()));
    expect_same(convert(narrow, ElementType::u16),
                tensor_of<std::uint16_t>({3}, {65535, 65528, 7}));
    expect_same(convert(narrow, ElementType::f32), floats({3}, {-1, -8, 7}));
}

TEST(Convert, CallsAllButZeroTrue) {
    expect_same(convert(floats({5}, {0, -0.0f, 0.1f, kNan, -kInfinity}), ElementType::boolean),
                tensor_of<bool>({5}, {false, false, true, true, true}));
    expect_same(convert(int_vector({0, 256, -1}), ElementType::boolean),
                tensor_of<bool>({3}, {false, true, true}));
    unsigned char bytes[] = {0, 1, 2};
    const Tensor odd(ElementType::boolean, {3}, bytes);
    expect_same(convert(odd, ElementType::i32), tensor_of<std::int32_t>({3}, {0, 1, 1}));
    expect_same(convert(odd, ElementType::boolean), tensor_of<bool>({3}, {false, true, true}));
}

TEST(Convert, RoundsToNearestEvenOnce) {
    expect_same(convert(tensor_of<double>({2}, {1e300, 0.1}), ElementType::f32),
                floats({2}, {kInfinity, 0.1f}));
    // 2^25 + 1 lies between two floats; 2^62 + 2^38 + 1 just past the middle of two: through a
    // double it would be a tie and go down.
    expect_same(convert(int_vector({33554433, (1LL << 62) + (1LL << 38) + 1}), ElementType::f32),
                floats({2}, {33554432.0f, 0x1.000002p62f}));
    expect_same(convert(tensor_of<std::uint64_t>({1}, {18446744073709551615u}), ElementType::f64),
                tensor_of<double>({1}, {0x1p64}));
    // Just above the middle of two halfs: through a float it would be a tie and go down.
    const auto just_above = tensor_of<double>({1}, {1 + 0x1p-11 + 0x1p-40});
    expect_same(convert(just_above, ElementType::f16),
                tensor_of<float16, double>({1}, {1 + 0x1p-10}));
}

TEST(Convert, KeepsTheBitsOfTheSameType) {
    Tensor nan(ElementType::f16, {1});
    nan.data<float16>()->bits = 0x7d55;  // a signalling NaN
    EXPECT_EQ(convert(nan, ElementType::f16).data<float16>()->bits, 0x7d55);
}

}  // namespace
}  // namespace rondo::convert_test
