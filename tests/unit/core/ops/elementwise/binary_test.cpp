// Tests a part of core/ops/elementwise/elementwise_ops.hpp.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/function_facts.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::binary_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::BinaryFunction;
using Texts = std::vector<std::pair<std::string, std::string>>;

constexpr ElementType kNumeric[] = {ElementType::f64,  ElementType::f32, ElementType::f16,
                                    ElementType::bf16, ElementType::i64, ElementType::i32,
                                    ElementType::i16,  ElementType::i8,  ElementType::u64,
                                    ElementType::u32,  ElementType::u16, ElementType::u8};

Tensor run(ops::BinaryFunction function, const Tensor& a, const Tensor& b) {
    ops::Binary node(function);
    node.set_name("n");
    return evaluate_one(node, {a, b});
}

template <typename T>
std::string infer_add(const T& a, const T& b) {
    return inferred(*make_node<ops::Binary>(ops::BinaryFunction::add, a, b));
}

TEST(Binary, IsListedUnderOpenVinosNames) {
    for (const char* name : {"Add", "Subtract", "Multiply", "Divide", "Power"}) {
        const auto* entry = ops::find_op(name, "opset13");
        ASSERT_NE(entry, nullptr) << name;
        EXPECT_EQ(entry->type->opset, 1);
        EXPECT_NE(reference::find_evaluator(*entry->type), nullptr) << name;
    }
}

TEST(Binary, BroadcastsShapes) {
    EXPECT_EQ(infer_add(parameter("2,3"), parameter("2,3")), "f32[2,3]");
    EXPECT_EQ(infer_add(parameter("2,1,4"), parameter("3,1")), "f32[2,3,4]");
    EXPECT_EQ(infer_add(parameter(""), parameter("3,?")), "f32[3,?]");
    EXPECT_EQ(infer_add(parameter("?,3"), parameter("5,1")), "f32[5,3]");
    EXPECT_EQ(infer_add(parameter("..."), parameter("5,1")), "f32[...]");
    EXPECT_EQ(infer_add(parameter("0,3"), parameter("1,3")), "f32[0,3]");
}

TEST(Binary, RefusesShapesThatDontFit) {
    const auto node =
        unchecked<ops::Binary>({parameter("2,3"), parameter("2,4")}, ops::BinaryFunction::add);
    expect_error<ModelError>([&] { node->validate(); },
                             "node 'n' (Add): shapes [2,3] and [2,4] can't be broadcast");
    const auto none =
        unchecked<ops::Binary>({parameter("2,3"), parameter("1,3")}, ops::BinaryFunction::multiply);
    none->set_auto_broadcast(ops::AutoBroadcast::none);
    expect_error<ModelError>([&] { none->validate(); },
                             "node 'n' (Multiply): the inputs have shapes [2,3] and [1,3]; "
                             "expected equal ones, as auto_broadcast is 'none'");
}

TEST(Binary, WithoutBroadcastingMergesOpenExtents) {
    const auto node =
        unchecked<ops::Binary>({parameter("?,3"), parameter("2,?")}, ops::BinaryFunction::subtract);
    read_attributes(*node, {{"auto_broadcast", "NONE"}});
    node->validate();
    EXPECT_EQ(inferred(*node), "f32[2,3]");
}

TEST(Binary, ReadsAndWritesItsAttributes) {
    ops::Binary add(ops::BinaryFunction::add);
    EXPECT_EQ(attributes_of(add), (Texts{{"auto_broadcast", "numpy"}}));
    read_attributes(add, {{"auto_broadcast", "explicit"}});
    EXPECT_EQ(attributes_of(add), (Texts{{"auto_broadcast", "none"}}));
    ops::Binary divide(ops::BinaryFunction::divide);
    EXPECT_EQ(attributes_of(divide), (Texts{{"auto_broadcast", "numpy"}, {"m_pythondiv", "true"}}));
    read_attributes(divide, {{"m_pythondiv", "false"}});
    EXPECT_FALSE(divide.python_division());
    expect_error<ModelError>(
        [&] {
            read_attributes(add, {{"auto_broadcast", "left"}});
        },
        "attribute 'auto_broadcast' is 'left'");
}

TEST(Binary, KeepsAttributesInACopy) {
    const auto node =
        unchecked<ops::Binary>({parameter("2"), parameter("2")}, ops::BinaryFunction::divide);
    node->set_python_division(false);
    node->set_auto_broadcast(ops::AutoBroadcast::none);
    const auto copy = as<ops::Binary>(node->clone_with(node->inputs()));
    ASSERT_NE(copy, nullptr);
    EXPECT_FALSE(copy->python_division());
    EXPECT_EQ(copy->auto_broadcast(), ops::AutoBroadcast::none);
}

TEST(Binary, RefusesWhatItCantDo) {
    const auto pdpd =
        unchecked<ops::Binary>({parameter("2"), parameter("2")}, ops::BinaryFunction::add);
    read_attributes(*pdpd, {{"auto_broadcast", "pdpd"}});
    expect_error<UnsupportedError>([&] { pdpd->validate(); },
                                   "node 'n' (Add): auto_broadcast is 'pdpd'");
    const auto boolean = unchecked<ops::Binary>(
        {parameter("2", ElementType::boolean), parameter("2", ElementType::boolean)},
        ops::BinaryFunction::power);
    expect_error<UnsupportedError>([&] { boolean->validate(); },
                                   "node 'n' (Power): the inputs are boolean");
    const auto mixed = unchecked<ops::Binary>({parameter("2"), parameter("2", ElementType::i32)},
                                              ops::BinaryFunction::add);
    expect_error<ModelError>([&] { mixed->validate(); }, "input 1 has type i32; expected f32");
    const auto lonely = unchecked<ops::Binary>({parameter("2")}, ops::BinaryFunction::add);
    expect_error<ModelError>([&] { lonely->validate(); }, "got 1 input; expected 2");
}

TEST(Binary, ComputesInEveryNumericType) {
    const auto a = tensor_of<float>({4}, {12, 7, 4, 9});
    const auto b = tensor_of<float>({4}, {3, 7, 2, 1});
    for (const ElementType type : kNumeric) {
        SCOPED_TRACE(std::string(to_string(type)));
        const auto check = [&](const Tensor& actual, const std::vector<float>& expected) {
            expect_same(actual, converted(tensor_of<float>({4}, expected), type));
        };
        const auto x = converted(a, type);
        const auto y = converted(b, type);
        check(run(ops::BinaryFunction::add, x, y), {15, 14, 6, 10});
        check(run(ops::BinaryFunction::subtract, x, y), {9, 0, 2, 8});
        check(run(ops::BinaryFunction::multiply, x, y), {36, 49, 8, 9});
        check(run(ops::BinaryFunction::divide, x, y), {4, 1, 2, 9});
        check(run(ops::BinaryFunction::power, y,
                  converted(tensor_of<float>({4}, {4, 0, 6, 9}), type)),
              {81, 1, 64, 1});
    }
}

TEST(Binary, BroadcastsElements) {
    const auto a = tensor_of<float>({2, 1, 2}, {1, 2, 3, 4});
    const auto b = tensor_of<float>({3, 1}, {10, 20, 30});
    expect_same(run(ops::BinaryFunction::subtract, a, b),
                tensor_of<float>({2, 3, 2}, {-9, -8, -19, -18, -29, -28,  //
                                             -7, -6, -17, -16, -27, -26}));
    expect_same(run(ops::BinaryFunction::subtract, scalar_of(1.f), scalar_of(3.f)),
                scalar_of(-2.f));
    expect_same(run(ops::BinaryFunction::subtract, b, scalar_of(1.f)),
                tensor_of<float>({3, 1}, {9, 19, 29}));
    EXPECT_EQ(run(ops::BinaryFunction::add, tensor_of<float>({0, 2}, {}),
                  tensor_of<float>({1, 2}, {1, 2}))
                  .shape(),
              (Shape{0, 2}));
}

TEST(Binary, RoundsOnce) {
    // 2049 lies halfway between two halves; a second rounding through float would hide the rest.
    const auto a = tensor_of<float16, double>({2}, {2048, 2048});
    const auto b = tensor_of<float16, double>({2}, {1, 1.0009765625});
    expect_same(run(ops::BinaryFunction::add, a, b), tensor_of<float16, double>({2}, {2048, 2050}));
    const auto third = run(ops::BinaryFunction::divide, scalar_of(1.f), scalar_of(3.f));
    EXPECT_EQ(third.data<float>()[0], 1.f / 3.f);
    const auto big = scalar_of(std::numeric_limits<float>::max());
    EXPECT_TRUE(std::isinf(run(ops::BinaryFunction::add, big, big).data<float>()[0]));
}

TEST(Binary, DividesFloatsByZero) {
    const auto result =
        run(ops::BinaryFunction::divide, tensor_of<float>({3}, {1, -1, 0}), scalar_of(0.f));
    EXPECT_EQ(result.data<float>()[0], std::numeric_limits<float>::infinity());
    EXPECT_EQ(result.data<float>()[1], -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(result.data<float>()[2]));
}

TEST(Binary, IntegersWrap) {
    const auto least = std::numeric_limits<std::int64_t>::min();
    const auto most = std::numeric_limits<std::int64_t>::max();
    expect_same(run(ops::BinaryFunction::add, scalar_of(most), scalar_of<std::int64_t>(1)),
                scalar_of(least));
    expect_same(
        run(ops::BinaryFunction::subtract, scalar_of<std::uint8_t>(3), scalar_of<std::uint8_t>(5)),
        scalar_of<std::uint8_t>(254));
    expect_same(run(ops::BinaryFunction::multiply, scalar_of<std::uint16_t>(65535),
                    scalar_of<std::uint16_t>(65535)),
                scalar_of<std::uint16_t>(1));
    expect_same(
        run(ops::BinaryFunction::multiply, scalar_of<std::int8_t>(100), scalar_of<std::int8_t>(-3)),
        scalar_of<std::int8_t>(-44));
    expect_same(run(ops::BinaryFunction::divide, scalar_of(least), scalar_of<std::int64_t>(-1)),
                scalar_of(least));
    expect_same(
        run(ops::BinaryFunction::power, scalar_of<std::int32_t>(-3), scalar_of<std::int32_t>(21)),
        scalar_of(static_cast<std::int32_t>(-10460353203LL)));
}

TEST(Binary, DividesIntegersDownOrTowardsZero) {
    const auto a = tensor_of<std::int32_t>({6}, {7, -7, 7, -7, 6, -6});
    const auto b = tensor_of<std::int32_t>({6}, {2, 2, -2, -2, -3, 3});
    expect_same(run(ops::BinaryFunction::divide, a, b),
                tensor_of<std::int32_t>({6}, {3, -4, -4, 3, -2, -2}));
    ops::Binary towards_zero(ops::BinaryFunction::divide);
    towards_zero.set_python_division(false);
    expect_same(evaluate_one(towards_zero, {a, b}),
                tensor_of<std::int32_t>({6}, {3, -3, -3, 3, -2, -2}));
    const auto most = std::numeric_limits<std::uint64_t>::max();
    expect_same(run(ops::BinaryFunction::divide, scalar_of(most), scalar_of<std::uint64_t>(2)),
                scalar_of(most / 2));
    expect_same(run(ops::BinaryFunction::divide, scalar_of(most - 1), scalar_of(most)),
                scalar_of<std::uint64_t>(0));
}

TEST(Binary, DividesNegativesInEverySignedType) {
    for (const ElementType type :
         {ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8}) {
        const auto number = [&](double value) { return converted(scalar_of(value), type); };
        expect_same(run(ops::BinaryFunction::divide, number(-7), number(2)), number(-4));
    }
}

TEST(Binary, RefusesIntegerDivisionByZero) {
    const auto one = tensor_of<std::int64_t>({2}, {1, 1});
    const auto zero = tensor_of<std::int64_t>({2}, {1, 0});
    expect_error<ModelError>([&] { run(ops::BinaryFunction::divide, one, zero); },
                             "node 'n' (Divide): divides an integer by 0");
    expect_error<ModelError>([&] { run(ops::BinaryFunction::floor_mod, one, zero); },
                             "node 'n' (FloorMod): divides an integer by 0");
    expect_error<ModelError>([&] { run(ops::BinaryFunction::mod, one, zero); },
                             "node 'n' (Mod): divides an integer by 0");
    expect_error<ModelError>([&] { run(ops::BinaryFunction::power, scalar_of(0), scalar_of(-1)); },
                             "node 'n' (Power): divides an integer by 0");
}

TEST(Binary, RaisesIntegersToNegativePowers) {
    const auto a = tensor_of<std::int64_t>({5}, {1, -1, -1, 2, -5});
    const auto b = tensor_of<std::int64_t>({5}, {-4, -4, -3, -1, -1});
    expect_same(run(ops::BinaryFunction::power, a, b),
                tensor_of<std::int64_t>({5}, {1, 1, -1, 0, 0}));
}

TEST(Binary, RaisesFloats) {
    const auto a = tensor_of<float>({4}, {2, 4, -8, -1});
    const auto b = tensor_of<float>({4}, {-1, 0.5f, 3, 0.5f});
    const auto result = run(ops::BinaryFunction::power, a, b);
    expect_same(result, tensor_of<float>({4}, {0.5f, 2, -512, std::nanf("")}));
}

TEST(Binary, SpecialValues) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    struct Case {
        BinaryFunction function;
        double a, b, result;
    };
    const Case cases[] = {
        {BinaryFunction::divide, 1, 0, kInf},
        {BinaryFunction::divide, -1, 0, -kInf},
        {BinaryFunction::divide, 0, 0, kNan},
        {BinaryFunction::divide, 1, -kInf, -0.0},
        {BinaryFunction::floor_mod, -5.5, 2, 0.5},
        {BinaryFunction::floor_mod, 5.5, -2, -0.5},
        {BinaryFunction::floor_mod, -4, 2, 0.0},
        {BinaryFunction::floor_mod, 4, -2, -0.0},
        {BinaryFunction::floor_mod, 2, kInf, 2},
        {BinaryFunction::floor_mod, 1, 0, kNan},
        {BinaryFunction::maximum, kNan, 1, kNan},
        {BinaryFunction::maximum, 1, kNan, kNan},
        {BinaryFunction::maximum, -kInf, -1, -1},
        {BinaryFunction::minimum, kNan, 1, kNan},
        {BinaryFunction::minimum, 1, kNan, kNan},
        {BinaryFunction::minimum, kInf, 1, 1},
        {BinaryFunction::mod, -5.5, 2, -1.5},
        {BinaryFunction::mod, 5.5, -2, 1.5},
        {BinaryFunction::mod, -4, 2, -0.0},
        {BinaryFunction::mod, kInf, 2, kNan},
        {BinaryFunction::mod, 2, kInf, 2},
        {BinaryFunction::mod, 1, 0, kNan},
        {BinaryFunction::power, 0, 0, 1},
        {BinaryFunction::power, kNan, 0, 1},
        {BinaryFunction::power, -2, 0.5, kNan},
        {BinaryFunction::power, 0, -1, kInf},
        {BinaryFunction::power, -kInf, 3, -kInf},
        {BinaryFunction::subtract, kInf, kInf, kNan},
        {BinaryFunction::multiply, 0, -1, -0.0},
        {BinaryFunction::multiply, 0, kInf, kNan},
        {BinaryFunction::squared_difference, kInf, 1, kInf},
    };
    for (const auto& [function, a, b, result] : cases) {
        const double actual = run(function, scalar_of(a), scalar_of(b)).data<double>()[0];
        SCOPED_TRACE(std::to_string(static_cast<int>(function)) + ": " + std::to_string(a) + ", " +
                     std::to_string(b));
        EXPECT_EQ(ulp_distance(actual, result, ElementType::f64), 0) << actual;
        EXPECT_TRUE(std::isnan(result) || std::signbit(actual) == std::signbit(result)) << actual;
    }
}

TEST(Binary, TheLeastIntegerOverMinusOne) {
    const auto least = scalar_of(std::numeric_limits<std::int8_t>::min());
    const auto minus_one = scalar_of<std::int8_t>(-1);
    const auto zero = scalar_of<std::int8_t>(0);
    expect_same(run(BinaryFunction::divide, least, minus_one), least);
    expect_same(run(BinaryFunction::mod, least, minus_one), zero);
    expect_same(run(BinaryFunction::floor_mod, least, minus_one), zero);
}

TEST(Binary, EveryFunctionHoldsItsFacts) {
    ASSERT_EQ(binary_facts().size(), std::size(ops::kBinaryOps)) << "a row has no facts";
    auto rng = test_rng();
    for (std::size_t i = 0; i < binary_facts().size(); ++i) {
        const auto& facts = binary_facts()[i];
        SCOPED_TRACE(std::string(ops::kBinaryOps[i].type.name));
        ASSERT_EQ(facts.function, ops::kBinaryOps[i].function);
        for (const ElementType type : {ElementType::f64, ElementType::f32}) {
            if (facts.of == nullptr) break;
            const auto drawn = [&] {
                return random_tensor(type, {500}, rng, static_cast<double>(facts.low),
                                     static_cast<double>(facts.high));
            };
            const Tensor a = drawn();
            const Tensor b = drawn();
            expect_binary(facts, a, b, run(facts.function, a, b));
        }
        const Tensor a = random_tensor(ElementType::i64, {200}, rng, -9, 9);
        Tensor b = random_tensor(ElementType::i64, {200}, rng, 1, 9);
        const bool divides = facts.function == BinaryFunction::divide ||
                             facts.function == BinaryFunction::floor_mod ||
                             facts.function == BinaryFunction::mod;
        for (std::size_t k = 0; divides && k < b.size(); k += 2) b.data<std::int64_t>()[k] *= -1;
        const Tensor y = run(facts.function, a, b);
        for (std::size_t k = 0; k < y.size(); ++k) {
            const auto expected =
                facts.of_integers(a.data<std::int64_t>()[k], b.data<std::int64_t>()[k]);
            ASSERT_EQ(y.data<std::int64_t>()[k], expected) << k;
        }
    }
}

}  // namespace
}  // namespace rondo::binary_test
