#include "plugins/cpu/kernels/product/row_converter.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"

namespace rondo::cpu::tests::row_converter_test {
namespace {

constexpr std::int64_t kHalves = 65536;

template <typename T>
std::vector<T> all_halves() {
    std::vector<T> halves(kHalves);
    for (std::int64_t i = 0; i < kHalves; ++i) {
        halves[static_cast<std::size_t>(i)].bits = static_cast<std::uint16_t>(i);
    }
    return halves;
}

// Every number there is, and rows that are no whole vectors.
template <typename T>
void check_load(Isa isa) {
    const RowConverter rows(isa, element_type_of<T>());
    const std::vector<T> halves = all_halves<T>();
    for (const std::int64_t count : {kHalves, std::int64_t{1}, std::int64_t{7}, std::int64_t{13}}) {
        std::vector<float> wide(static_cast<std::size_t>(count) + 1, 77.0f);
        rows.load(halves.data() + kHalves - count, wide.data(), count);
        EXPECT_EQ(wide.back(), 77.0f);
        for (std::int64_t i = 0; i < count; ++i) {
            const auto expected =
                static_cast<float>(halves[static_cast<std::size_t>(kHalves - count + i)]);
            ASSERT_TRUE(same_bits(wide[static_cast<std::size_t>(i)], expected)) << i;
        }
    }
}

// Numbers, their middles and what lies just beside these; special values.
std::vector<float> floats_to_round(const std::vector<float>& numbers) {
    std::vector<float> values = {0.0f, -0.0f, 1e-45f, 1e38f, -1e38f, 65504.0f, 65520.0f, 65519.99f};
    for (const float number : {1.0f / 0.0f, -1.0f / 0.0f, std::nanf("")}) values.push_back(number);
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 3) {
        const float middle = (numbers[i] + numbers[i + 1]) / 2;
        values.insert(values.end(), {numbers[i], middle, std::nextafter(middle, 0.0f),
                                     std::nextafter(middle, 2 * middle)});
    }
    return values;
}

template <typename T>
void check_store(Isa isa) {
    const RowConverter rows(isa, element_type_of<T>());
    std::vector<float> numbers;
    for (const T half : all_halves<T>()) numbers.push_back(static_cast<float>(half));
    const std::vector<float> values = floats_to_round(numbers);
    std::vector<T> narrow(values.size());
    rows.store(values.data(), narrow.data(), static_cast<std::int64_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto got = static_cast<float>(narrow[i]), expected = static_cast<float>(T(values[i]));
        ASSERT_TRUE(same_bits(got, expected)) << values[i] << " gives " << got;
    }
}

TEST(RowConverter, WidensAsTheScalarsDo) {
    for (const Isa isa : available_isas()) {
        check_load<float16>(isa);
        check_load<bfloat16>(isa);
    }
}

TEST(RowConverter, RoundsAsTheScalarsDo) {
    for (const Isa isa : available_isas()) {
        check_store<float16>(isa);
        check_store<bfloat16>(isa);
    }
}

TEST(RowConverter, CopiesWhatKernelsTakeAsItIs) {
    const RowConverter floats(Isa::plain, ElementType::f32), doubles(Isa::plain, ElementType::f64);
    EXPECT_FALSE(floats.converts());
    EXPECT_FALSE(doubles.converts());
    EXPECT_TRUE(RowConverter(Isa::plain, ElementType::bf16).converts());
    const double from[] = {0.1, 0.2};
    double to[2] = {};
    doubles.load(from, to, 2);
    EXPECT_EQ(to[1], 0.2);
    EXPECT_EQ(doubles.at(static_cast<const void*>(from), 1), from + 1);
}

}  // namespace
}  // namespace rondo::cpu::tests::row_converter_test
