// Elementwise ops, Range, ShapeOf and RandomUniform: written as ONNX and read again.
#include <gtest/gtest.h>

#include "core/ops/elementwise/functions.hpp"
#include "tests/unit/frontend/onnx/writer/round_trip.hpp"

namespace rondo::test::elementwise_test {
namespace {

constexpr ElementType kIntegers[] = {ElementType::i64, ElementType::i32, ElementType::i16,
                                     ElementType::i8,  ElementType::u64, ElementType::u32,
                                     ElementType::u16, ElementType::u8};
constexpr ElementType kFloating[] = {ElementType::f64, ElementType::f32, ElementType::f16,
                                     ElementType::bf16};

bool is_signed(ElementType type) { return to_string(type)[0] == 'i'; }

std::vector<ElementType> types_of(ops::TypeRule rule) {
    std::vector<ElementType> types;
    for (const auto type : kIntegers) types.push_back(type);
    for (const auto type : kFloating) types.push_back(type);
    types.push_back(ElementType::boolean);
    std::erase_if(types, [&](ElementType type) { return !ops::takes(rule, type); });
    return types;
}

// One step of a composition may round in the type where the op rounds once.
double composed_tolerance(ElementType type) {
    switch (type) {
        case ElementType::f32: return 1e-6;
        case ElementType::f16: return 4e-3;
        case ElementType::bf16: return 3e-2;
        default: return 0;
    }
}

TEST(OnnxWriterElementwise, WritesEveryUnaryOpOfEveryType) {
    for (const auto& row : ops::kUnaryOps) {
        for (const ElementType type : types_of(row.types)) {
            const bool above_one = row.type.name == "Acosh";
            const bool rounds = row.function == ops::UnaryFunction::hsigmoid;
            WriteCase one{std::string(row.type.name), {given({2, 5}, type, above_one ? 1 : -4, 4)}};
            if (!is_floating(type) && !is_signed(type)) one.inputs = {given({2, 5}, type, 0, 9)};
            if (rounds) one.tolerance = composed_tolerance(type);
            expect_written(one);
        }
    }
}

TEST(OnnxWriterElementwise, WritesEveryBinaryOpOfEveryType) {
    using ops::BinaryFunction;
    for (const auto& row : ops::kBinaryOps) {
        for (const ElementType type : types_of(row.types)) {
            const bool is_signed_type = is_floating(type) || is_signed(type);
            const bool is_power = row.function == BinaryFunction::power;
            const double low = is_signed_type && !(is_power && is_floating(type)) ? -9 : 0;
            // Neither divides by 0 nor has a negative power of 0.
            WriteCase one{std::string(row.type.name),
                          {given({2, 3, 4}, type, low, 9), given({3, 1}, type, 1, 6)}};
            if (row.function == BinaryFunction::squared_difference) {
                one.tolerance = composed_tolerance(type);
            }
            expect_written(one);
        }
    }
}

TEST(OnnxWriterElementwise, DividesAndTakesRemaindersOfNegativeNumbers) {
    const auto a = tensor_of<std::int32_t>({7}, {-7, -7, 7, 7, -6, 6, 0});
    const auto b = tensor_of<std::int32_t>({7}, {2, -2, -2, 2, 2, -3, -5});
    for (const char* type : {"Divide", "FloorMod", "Mod"}) {
        expect_written({type, {run(a), run(b)}});
        expect_written(
            {type, {run(converted(a, ElementType::f32)), run(converted(b, ElementType::f32))}});
    }
    expect_written({"Divide", {run(a), run(b)}, {{"m_pythondiv", "false"}}});
    EXPECT_EQ(operators_of({"Divide", {run(a), run(b)}, {{"m_pythondiv", "false"}}}), "Div");
}

TEST(OnnxWriterElementwise, ShiftsNegativeNumbersAndByTheWholeWidth) {
    for (const char* type : {"BitwiseLeftShift", "BitwiseRightShift"}) {
        expect_written({type,
                        {run(tensor_of<std::int8_t>({6}, {-128, -1, 5, 127, -3, 64})),
                         run(tensor_of<std::int8_t>({6}, {1, 7, 8, 3, 100, 0}))}});
    }
}

TEST(OnnxWriterElementwise, WritesComparisonsOfEveryType) {
    for (const auto& row : ops::kCompareOps) {
        for (const ElementType type : types_of(row.types)) {
            expect_written(
                {std::string(row.type.name), {given({3, 4}, type, 0, 3), given({4}, type, 0, 3)}});
        }
    }
}

TEST(OnnxWriterElementwise, WritesLogicalOpsAndSelect) {
    for (const auto& row : ops::kLogicalOps) {
        expect_written({std::string(row.type.name),
                        {given({3, 4}, ElementType::boolean), given({4}, ElementType::boolean)}});
    }
    for (const ElementType type : types_of(ops::TypeRule::any)) {
        expect_written({"Select",
                        {given({3, 1}, ElementType::boolean), given({3, 4}, type, 0, 9),
                         given({4}, type, 0, 9)}});
    }
}

TEST(OnnxWriterElementwise, ConvertsBetweenAllTypes) {
    for (const ElementType from : types_of(ops::TypeRule::any)) {
        for (const ElementType to : types_of(ops::TypeRule::any)) {
            expect_written({"Convert",
                            {given({9}, from, 0, 100)},
                            {{"destination_type", std::string(to_string(to))}}});
        }
    }
}

TEST(OnnxWriterElementwise, ConvertsToNarrowTypes) {
    for (const char* type : {"f8e4m3", "f8e5m2", "f8e4m3fnuz", "f8e5m2fnuz", "f8e8m0", "f4e2m1",
                             "i4", "u4", "i2", "u2"}) {
        expect_written(
            {"Convert", {given({9}, ElementType::f32, -9, 9)}, {{"destination_type", type}}});
    }
    expect_written({"Convert",
                    {given({9}, ElementType::f32, -1000, 1000)},
                    {{"destination_type", "f8e4m3"}, {"saturate", "false"}},
                    "opset99"});
    expect_written({"Convert",
                    {given({9}, ElementType::f32, 0, 100)},
                    {{"destination_type", "f8e8m0"}, {"round_mode", "nearest"}}});
}

TEST(OnnxWriterElementwise, WritesShapesAndRanges) {
    for (const char* type : {"i64", "i32"}) {
        expect_written({"ShapeOf", {given({2, 0, 3})}, {{"output_type", type}}});
    }
    const auto number = [](double value, ElementType type) {
        return run(converted(scalar_of(value), type));
    };
    for (const ElementType type : types_of(ops::TypeRule::number)) {
        if (type == ElementType::u64) continue;
        expect_written({"Range",
                        {number(2, type), number(12, type), number(3, type)},
                        {{"output_type", std::string(to_string(type))}}});
    }
    expect_written({"Range",
                    {number(5, ElementType::i32), number(-4, ElementType::i64),
                     number(-2.5, ElementType::f32)},
                    {{"output_type", "f16"}}});
    expect_not_written(
        {"Range",
         {number(0, ElementType::u64), number(4, ElementType::u64), number(1, ElementType::u64)},
         {{"output_type", "f32"}}},
        "its numbers are u64; ONNX has no range of these");
}

TEST(OnnxWriterElementwise, WritesRandomNumbersWithoutASeedAlone) {
    const std::vector<CaseInput> inputs{ints({2, 3}), fixed(scalar_of<float>(1)),
                                        fixed(scalar_of<float>(4))};
    EXPECT_EQ(operators_of({"RandomUniform", inputs, {{"output_type", "f32"}}}),
              "ConstantOfShape RandomUniformLike Sub Mul Add");
    expect_not_written(
        {"RandomUniform", inputs, {{"output_type", "f32"}, {"op_seed", "7"}}},
        "node 'the_op' (RandomUniform): its seed says which numbers it draws; ONNX leaves them "
        "open");
    const std::vector<CaseInput> whole{ints({2}), int_scalar(1), int_scalar(4)};
    expect_not_written({"RandomUniform", whole, {{"output_type", "i64"}}},
                       "ONNX draws no random integers");
}

}  // namespace
}  // namespace rondo::test::elementwise_test
