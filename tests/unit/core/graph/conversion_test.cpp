#include "rondo/conversion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::conversion_test {
namespace {

constexpr ElementType kNumbers[] = {
    ElementType::boolean, ElementType::f64, ElementType::f32, ElementType::f16, ElementType::bf16,
    ElementType::i64,     ElementType::i32, ElementType::i16, ElementType::i8,  ElementType::u64,
    ElementType::u32,     ElementType::u16, ElementType::u8};

TEST(Conversion, FloatingNumbersDoNotBecomeWholeOnes) {
    for (const ElementType from : kNumbers) {
        for (const ElementType to : kNumbers) {
            const bool may = from == to || is_floating(to) || !is_floating(from);
            EXPECT_EQ(can_convert(from, to), may) << to_string(from) << " " << to_string(to);
            if (may) continue;
            const Tensor none(from, {0});
            expect_error<ModelError>([&] { convert_tensor(none, to); }, "can't convert");
        }
        EXPECT_FALSE(can_convert(from, ElementType::i4));
        EXPECT_FALSE(can_convert(ElementType::f8e4m3, from));
        EXPECT_FALSE(can_convert(from, ElementType::dynamic));
    }
    EXPECT_TRUE(can_convert(ElementType::i4, ElementType::i4));
}

// Any bits of the type: NaN, infinities and subnormal numbers, too.
Tensor random_bits(ElementType type, Rng& rng) {
    const Tensor words = random_tensor(ElementType::i64, {600}, rng, -9e18, 9e18);
    Tensor tensor(type, {600});
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        std::int64_t word = words.data<std::int64_t>()[i];
        if (type == ElementType::boolean) word &= 1;
        if (is_integral(type) && i % 2 == 0) word >>= (i / 2) % 64;  // small ones, too
        std::memcpy(static_cast<char*>(tensor.data()) + i * size_of(type), &word, size_of(type));
    }
    return tensor;
}

// The number of the floating type beside the element, up or down.
long double neighbour(const Tensor& tensor, std::size_t i, int step) {
    Tensor one(tensor.element_type(), {1});
    std::int64_t bits = 0;
    const std::size_t size = size_of(tensor.element_type());
    std::memcpy(&bits, static_cast<const char*>(tensor.data()) + i * size, size);
    bits += step;
    std::memcpy(one.data(), &bits, size);
    return element_at(one, 0);
}

void expect_nearest(long double value, const Tensor& result, std::size_t i) {
    const long double got = element_at(result, i);
    if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(got));
    } else if (std::isinf(value) || !is_floating(result.element_type())) {
        EXPECT_EQ(got, value);
    } else {
        EXPECT_EQ(std::signbit(got), std::signbit(value));
        const long double off = std::fabs(got - value);
        for (const int step : {-1, 1}) {
            if (got == 0 && step < 0) continue;  // the bits below zero are those of NaN
            const long double other = std::fabs(neighbour(result, i, step) - value);
            if (!std::isfinite(other)) continue;
            EXPECT_LE(off, other) << static_cast<double>(value);
        }
    }
}

Tensor element(const Tensor& tensor, std::size_t i) {
    const std::size_t size = size_of(tensor.element_type());
    Tensor one(tensor.element_type(), {1});
    std::memcpy(one.data(), static_cast<const char*>(tensor.data()) + i * size, size);
    return one;
}

// The elements one after another.
Tensor joined(ElementType type, const std::vector<Tensor>& elements) {
    Tensor all(type, {elements.size()});
    auto* to = static_cast<char*>(all.data());
    for (std::size_t i = 0; i < elements.size(); ++i) {
        std::memcpy(to + i * size_of(type), elements[i].data(), size_of(type));
    }
    return all;
}

// Each element is the nearest number of the type, and is counted where it isn't the same; many at
// once are what each of them is.
void check_pair(const Tensor& numbers, ElementType to) {
    std::vector<Tensor> held;
    std::vector<Tensor> results;
    std::size_t rounded = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Tensor one = element(numbers, i);
        const Conversion result = convert_tensor(one, to);
        if (result.refused) continue;
        const long double value = element_at(one, 0);
        expect_nearest(value, result.tensor, 0);
        const bool same = std::isnan(value) || element_at(result.tensor, 0) == value;
        EXPECT_EQ(result.rounded, same ? 0u : 1u) << static_cast<double>(value);
        held.push_back(one);
        results.push_back(result.tensor);
        rounded += result.rounded;
    }
    const Conversion all = convert_tensor(joined(numbers.element_type(), held), to);
    const Tensor expected = joined(to, results);
    ASSERT_TRUE(all.tensor);
    EXPECT_EQ(all.rounded, rounded);
    EXPECT_EQ(std::memcmp(all.tensor.data(), expected.data(), expected.byte_size()), 0);
}

TEST(Conversion, RoundsToTheNearestOnce) {
    Rng rng = test_rng();
    for (const ElementType from : kNumbers) {
        const Tensor numbers = random_bits(from, rng);
        for (const ElementType to : kNumbers) {
            SCOPED_TRACE(std::string(to_string(from)) + " to " + std::string(to_string(to)));
            if (can_convert(from, to)) check_pair(numbers, to);
        }
    }
}

// Whole blocks of finite numbers, and some that aren't.
TEST(Conversion, CountsInBlocksOfFiniteNumbers) {
    for (const bool has_nan : {false, true}) {
        std::vector<double> values(1000);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) * 0.25;
        values[3] = 0.1;
        values[700] = 1e-50;
        if (has_nan) values[701] = std::numeric_limits<double>::quiet_NaN();
        if (has_nan) values[702] = -std::numeric_limits<double>::infinity();
        const Conversion result =
            convert_tensor(tensor_of<double>({1000}, values), ElementType::f32);
        EXPECT_EQ(result.rounded, 2u);
        EXPECT_EQ(element_at(result.tensor, 700), 0);
        EXPECT_EQ(std::isnan(element_at(result.tensor, 701)), has_nan);
    }
}

TEST(Conversion, TiesGoToTheEvenNumberOfTheTypeItself) {
    const auto bf16 = [](const Tensor& tensor) {
        return static_cast<double>(element_at(convert_tensor(tensor, ElementType::bf16).tensor, 0));
    };
    // Just above the middle of two numbers: rounded to f32 or f64 first, it would be the middle.
    EXPECT_EQ(bf16(tensor_of<double>({1}, {1 + 0x1p-8 + 0x1p-40})), 1 + 0x1p-7);
    EXPECT_EQ(bf16(tensor_of<std::int64_t>({1}, {(1LL << 62) + (1LL << 54) + 1})), 0x1p62 + 0x1p55);
    EXPECT_EQ(bf16(tensor_of<std::int64_t>({1}, {-(1LL << 62) - (1LL << 54) - 1})),
              -0x1p62 - 0x1p55);
    EXPECT_EQ(bf16(tensor_of<std::uint64_t>({1}, {(1ULL << 63) + (1ULL << 55) + 1})),
              0x1p63 + 0x1p56);
}

TEST(Conversion, RefusesWhatTheTypeCanNotHold) {
    const auto refused = [](const Tensor& tensor, ElementType to) {
        const Conversion result = convert_tensor(tensor, to);
        EXPECT_EQ(bool(result.tensor), !result.refused);
        return result.refused;
    };
    std::vector<double> many(700, 1);
    many[555] = 1e39;
    EXPECT_EQ(refused(tensor_of<double>({7, 100}, many), ElementType::f32), 555u);
    EXPECT_EQ(refused(tensor_of<double>({2}, {-70000, 1}), ElementType::f16), 0u);
    EXPECT_EQ(refused(tensor_of<std::uint16_t>({2}, {65519, 65520}), ElementType::f16), 1u);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(refused(tensor_of<double>({1}, {kInfinity}), ElementType::f16));
    EXPECT_EQ(refused(tensor_of<std::int64_t>({2}, {0, 256}), ElementType::u8), 1u);
    EXPECT_EQ(refused(tensor_of<std::int64_t>({2}, {0, -1}), ElementType::u64), 1u);
    EXPECT_EQ(refused(tensor_of<std::uint64_t>({1}, {1ULL << 63}), ElementType::i64), 0u);
    EXPECT_EQ(refused(tensor_of<std::int8_t>({3}, {0, 1, 2}), ElementType::boolean), 2u);
    EXPECT_FALSE(refused(tensor_of<std::int8_t>({2}, {0, 1}), ElementType::boolean));
}

TEST(Conversion, ReadsStridesAndKeepsShapes) {
    std::vector<std::int32_t> memory{1, 2, 99, 3, 4, 99};
    const Tensor strided(ElementType::i32, {2, 2}, memory.data(), {12, 4});
    expect_same(convert_tensor(strided, ElementType::f32).tensor,
                tensor_of<float>({2, 2}, {1, 2, 3, 4}));
    expect_same(convert_tensor(strided, ElementType::i32).tensor,
                tensor_of<std::int32_t>({2, 2}, {1, 2, 3, 4}));
    EXPECT_EQ(convert_tensor(Tensor(ElementType::f64, {0, 3}), ElementType::f32).tensor.shape(),
              (Shape{0, 3}));
    EXPECT_EQ(convert_tensor(scalar_of<double>(2), ElementType::f32).tensor.shape(), Shape{});
    const std::uint8_t odd = 7;  // a boolean's byte of another program
    const Tensor flag(ElementType::boolean, {1}, &odd, nullptr);
    EXPECT_EQ(element_at(convert_tensor(flag, ElementType::f32).tensor, 0), 1);
}

}  // namespace
}  // namespace rondo::test::conversion_test
