#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace rondo::cpu::typed_loops_test {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::LogicalFunction;
using ops::UnaryFunction;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
std::int64_t size_of_vector(const std::vector<T>& values) {
    return static_cast<std::int64_t>(values.size());
}

template <typename T>
std::vector<T> unary(UnaryFunction function, const std::vector<T>& x) {
    std::vector<T> to(x.size());
    EXPECT_TRUE(typed_unary_loop(
        function, element_type_of<T>())({{x.data()}, {1}, to.data(), size_of_vector(x)}));
    return to;
}

// Each function of b's elements beside one a; empty where there is no value.
template <typename T>
std::vector<T> binary(BinaryFunction function, T a, const std::vector<T>& b,
                      bool rounds_down = true) {
    std::vector<T> to(b.size());
    const auto loop = typed_binary_loop(function, element_type_of<T>(), rounds_down);
    const bool has_value = loop({{&a, b.data()}, {0, 1}, to.data(), size_of_vector(b)});
    return has_value ? to : std::vector<T>();
}

template <typename From, typename To>
std::vector<To> converted(const std::vector<From>& from) {
    std::vector<To> to(from.size());
    EXPECT_TRUE(convert_loop(element_type_of<From>(), element_type_of<To>())(
        {{from.data()}, {1}, to.data(), size_of_vector(from)}));
    return to;
}

TEST(TypedLoops, IntegersWrap) {
    using I8 = std::vector<std::int8_t>;
    using I64 = std::vector<std::int64_t>;
    EXPECT_EQ(unary<std::int8_t>(UnaryFunction::abs, {-128, -1, 5}), (I8{-128, 1, 5}));
    EXPECT_EQ(unary<std::int8_t>(UnaryFunction::negative, {-128, -1, 5}), (I8{-128, 1, -5}));
    EXPECT_EQ(unary<std::int8_t>(UnaryFunction::sign, {-128, 0, 5}), (I8{-1, 0, 1}));
    EXPECT_EQ(binary<std::int8_t>(BinaryFunction::multiply, 100, {3, -2}), (I8{44, 56}));
    EXPECT_EQ(binary<std::int64_t>(BinaryFunction::add, INT64_MAX, {1}), (I64{INT64_MIN}));
    EXPECT_EQ(binary<std::uint16_t>(BinaryFunction::multiply, 65535, {65535}),
              (std::vector<std::uint16_t>{1}));
    EXPECT_EQ(binary<std::uint8_t>(BinaryFunction::squared_difference, 3, {5}),
              (std::vector<std::uint8_t>{4}));
}

TEST(TypedLoops, IntegerDivisionRoundsAsAsked) {
    using I32 = std::vector<std::int32_t>;
    EXPECT_EQ(binary<std::int32_t>(BinaryFunction::divide, -7, {2, -2, 7}), (I32{-4, 3, -1}));
    EXPECT_EQ(binary<std::int32_t>(BinaryFunction::divide, -7, {2, -2, 8}, false), (I32{-3, 3, 0}));
    EXPECT_EQ(binary<std::int32_t>(BinaryFunction::divide, INT32_MIN, {-1}), (I32{INT32_MIN}));
    EXPECT_EQ(binary<std::int64_t>(BinaryFunction::divide, INT64_MIN, {-1}),
              (std::vector<std::int64_t>{INT64_MIN}));
    EXPECT_EQ(binary<std::int32_t>(BinaryFunction::floor_mod, -7, {3, -3, -1}), (I32{2, -1, 0}));
    EXPECT_EQ(binary<std::int32_t>(BinaryFunction::floor_mod, INT32_MIN, {-1}), (I32{0}));
}

TEST(TypedLoops, DivisionsByZeroHaveNoValue) {
    for (const auto function :
         {BinaryFunction::divide, BinaryFunction::floor_mod, BinaryFunction::mod}) {
        EXPECT_TRUE(binary<std::int64_t>(function, 4, {2, 0, 1}).empty());
        EXPECT_TRUE(binary<std::uint8_t>(function, 4, {0}).empty());
        EXPECT_FALSE(binary<float>(function, 4, {0}).empty());
    }
    EXPECT_TRUE(binary<std::int32_t>(BinaryFunction::power, 0, {2, -1}).empty());
}

TEST(TypedLoops, PowersOfIntegers) {
    using I32 = std::vector<std::int32_t>;
    EXPECT_EQ(binary<std::int32_t>(BinaryFunction::power, 3, {0, 1, 4, -1}), (I32{1, 3, 81, 0}));
    EXPECT_EQ(binary<std::int32_t>(BinaryFunction::power, -1, {3, -3, -4}), (I32{-1, -1, 1}));
    EXPECT_EQ(binary<std::uint8_t>(BinaryFunction::power, 2, {7, 8}),
              (std::vector<std::uint8_t>{128, 0}));
}

TEST(TypedLoops, NanIsCarriedOn) {
    for (const auto function : {BinaryFunction::maximum, BinaryFunction::minimum}) {
        EXPECT_TRUE(std::isnan(binary<double>(function, kNan, {1})[0]));
        EXPECT_TRUE(std::isnan(binary<double>(function, 1, {kNan})[0]));
    }
    for (const auto function : {UnaryFunction::relu, UnaryFunction::sign, UnaryFunction::hsigmoid,
                                UnaryFunction::softplus, UnaryFunction::mish}) {
        EXPECT_TRUE(std::isnan(unary<double>(function, {kNan})[0]));
    }
}

TEST(TypedLoops, LimitsAtInfinity) {
    const auto at = [](UnaryFunction function, double x) {
        return unary<double>(function, {x})[0];
    };
    EXPECT_EQ(at(UnaryFunction::hswish, -kInfinity), 0);
    EXPECT_EQ(at(UnaryFunction::mish, -kInfinity), 0);
    EXPECT_EQ(at(UnaryFunction::softsign, -kInfinity), -1);
    EXPECT_EQ(at(UnaryFunction::softplus, kInfinity), kInfinity);
    EXPECT_EQ(at(UnaryFunction::softplus, 1000), 1000);
    EXPECT_EQ(at(UnaryFunction::round, 2.5), 2);
    EXPECT_EQ(at(UnaryFunction::round, -3.5), -4);
}

TEST(TypedLoops, TheRemainderHasTheDivisorsSign) {
    EXPECT_EQ(binary<double>(BinaryFunction::floor_mod, -7, {3, -3}), (std::vector<double>{2, -1}));
    EXPECT_TRUE(std::signbit(binary<double>(BinaryFunction::floor_mod, 6, {-3})[0]));
}

TEST(TypedLoops, ComparisonsOfNanAndBooleans) {
    const auto compare = [](CompareFunction function, ElementType type, const void* a,
                            const void* b) {
        bool to = false;
        EXPECT_TRUE(typed_compare_loop(function, type)({{a, b}, {0, 0}, &to, 1}));
        return to;
    };
    const double one = 1, nan = kNan;
    EXPECT_FALSE(compare(CompareFunction::equal, ElementType::f64, &nan, &nan));
    EXPECT_TRUE(compare(CompareFunction::not_equal, ElementType::f64, &nan, &nan));
    EXPECT_FALSE(compare(CompareFunction::less_equal, ElementType::f64, &one, &nan));
    const std::uint8_t yes = 1, also_yes = 7, no = 0;
    EXPECT_TRUE(compare(CompareFunction::equal, ElementType::boolean, &yes, &also_yes));
    EXPECT_TRUE(compare(CompareFunction::less, ElementType::boolean, &no, &also_yes));
    const std::uint64_t large = ~std::uint64_t{0}, small = 1;
    EXPECT_TRUE(compare(CompareFunction::greater, ElementType::u64, &large, &small));
    const std::int64_t minus = -1, plus = 1;
    EXPECT_TRUE(compare(CompareFunction::less, ElementType::i64, &minus, &plus));
}

TEST(TypedLoops, AnyByteButZeroIsTrue) {
    const std::vector<std::uint8_t> a{0, 0, 2, 255}, b{0, 4, 0, 1};
    const auto logical = [&](LogicalFunction function) {
        std::vector<std::uint8_t> to(4);
        EXPECT_TRUE(logical_loop(function)({{a.data(), b.data()}, {1, 1}, to.data(), 4}));
        return to;
    };
    using Bytes = std::vector<std::uint8_t>;
    EXPECT_EQ(logical(LogicalFunction::logical_and), (Bytes{0, 0, 0, 1}));
    EXPECT_EQ(logical(LogicalFunction::logical_or), (Bytes{0, 1, 1, 1}));
    EXPECT_EQ(logical(LogicalFunction::logical_xor), (Bytes{0, 1, 1, 0}));
    Bytes to(4);
    EXPECT_TRUE(typed_unary_loop(UnaryFunction::logical_not,
                                 ElementType::boolean)({{a.data()}, {1}, to.data(), 4}));
    EXPECT_EQ(to, (Bytes{1, 1, 0, 0}));
    EXPECT_TRUE(
        convert_loop(ElementType::boolean, ElementType::boolean)({{a.data()}, {1}, to.data(), 4}));
    EXPECT_EQ(to, (Bytes{0, 0, 1, 1}));
}

TEST(TypedLoops, ConversionsSaturate) {
    EXPECT_EQ((converted<float, std::int8_t>({1.9f, -1.9f, 300, -300, NAN})),
              (std::vector<std::int8_t>{1, -1, 127, -128, 0}));
    EXPECT_EQ((converted<double, std::int64_t>({1e19, -1e19, kNan})),
              (std::vector<std::int64_t>{INT64_MAX, INT64_MIN, 0}));
    EXPECT_EQ((converted<double, std::uint64_t>({1e20, -1})),
              (std::vector<std::uint64_t>{UINT64_MAX, 0}));
    EXPECT_EQ((converted<std::int64_t, std::int8_t>({300, -129})),
              (std::vector<std::int8_t>{44, 127}));
}

TEST(TypedLoops, SixteenBitsAreRoundedOnce) {
    // Halfway between two f16 except for 2^-30, which a rounding to f32 on the way would lose.
    const double above = 1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -30);
    EXPECT_EQ((converted<double, float16>({above}))[0].bits, 0x3c01);
    EXPECT_EQ((converted<double, float16>({1 + std::ldexp(1.0, -11)}))[0].bits, 0x3c00);
    const std::vector<float16> x{float16(2.0f)};
    EXPECT_EQ(unary(UnaryFunction::sqrt, x)[0].bits, float16(1.41421356f).bits);
}

TEST(TypedLoops, SelectTakesElementsOfAnySize) {
    const std::vector<std::uint8_t> condition{0, 9, 1};
    const std::vector<double> yes{1, 2, 3};
    const double no = -1;
    std::vector<double> to(3);
    EXPECT_TRUE(select_loop(8)({{condition.data(), yes.data(), &no}, {1, 1, 0}, to.data(), 3}));
    EXPECT_EQ(to, (std::vector<double>{-1, 2, 3}));
}

TEST(TypedLoops, NoLoopForTypesThatAFunctionDoesNotTake) {
    EXPECT_EQ(typed_unary_loop(UnaryFunction::exp, ElementType::i32), nullptr);
    EXPECT_EQ(typed_unary_loop(UnaryFunction::abs, ElementType::boolean), nullptr);
    EXPECT_EQ(typed_binary_loop(BinaryFunction::add, ElementType::boolean, true), nullptr);
}

}  // namespace
}  // namespace rondo::cpu::typed_loops_test
