// The random numbers of the generator that RandomUniform uses.
#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/tensors.hpp"

namespace rondo::ops::random_numbers_test {
namespace {

using test::expect_near;
using test::expect_same;
using test::tensor_of;

constexpr RandomSeed kSeed{150, 10};

template <typename T>
Tensor drawn(std::size_t count, T least, T bound, const RandomSeed& seed = kSeed) {
    Tensor numbers(element_type_of<T>(), {count});
    write_uniform({numbers.element_type(), &least, &bound}, seed, numbers.data(), 0,
                  static_cast<std::int64_t>(count));
    return numbers;
}

// Peer: OpenVINO 2026's RandomUniform with global_seed 150 and op_seed 10.
TEST(RandomNumbers, AreThoseOfOpenVino) {
    expect_near(
        drawn<float>(9, 0, 1),
        tensor_of<float>({9}, {0.7011236F, 0.30539632F, 0.93931055F, 0.9456035F, 0.11694777F,
                               0.50770056F, 0.5197197F, 0.22727466F, 0.991374F}),
        1e-7);
    expect_same(drawn<std::int32_t>(9, -5, 1000),
                tensor_of<std::int32_t>({9}, {575, 140, 266, -5, 947, 45, 180, 150, 625}));
}

// Two words a number: the first example of doubles in OpenVINO's specification, and integers by the
// same generator in Python.
TEST(RandomNumbers, OfTwoWords) {
    expect_same(drawn<std::int64_t>(4, -5, 1000), tensor_of<std::int64_t>({4}, {0, 266, 922, 605}));
    expect_near(drawn<double>(4, 2, 10, {80, 100}),
                tensor_of<double>({4}, {5.65927959, 4.23122376, 2.67008206, 2.36423758}), 1e-8);
    expect_near(drawn<float16>(2, float16(0.0F), float16(1.0F)),
                tensor_of<float16, float>({2}, {0.7011236F, 0.30539632F}), 0);
}

TEST(RandomNumbers, DependOnTheirPlaceAlone) {
    const auto whole = drawn<float>(40, -1, 3);
    Tensor parts(ElementType::f32, {40});
    const float least = -1, bound = 3;
    for (const auto& [begin, end] : std::vector<std::pair<int, int>>{{0, 3}, {3, 18}, {18, 40}}) {
        write_uniform({ElementType::f32, &least, &bound}, kSeed, parts.data(), begin, end);
    }
    expect_same(parts, whole);
}

TEST(RandomNumbers, FillTheRangeEvenly) {
    const auto numbers = drawn<double>(100000, 2, 4, {7, 0});
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double x = numbers.data<double>()[i];
        ASSERT_TRUE(x >= 2 && x < 4);
        sum += x;
        squares += (x - 3) * (x - 3);
    }
    EXPECT_NEAR(sum / 100000, 3, 0.01);
    EXPECT_NEAR(squares / 100000, 1 / 3.0, 0.01);
    const auto whole = drawn<std::int64_t>(1000, std::numeric_limits<std::int64_t>::min(),
                                           std::numeric_limits<std::int64_t>::max());
    EXPECT_NE(whole.data<std::int64_t>()[0] < 0, whole.data<std::int64_t>()[1] < 0);
}

TEST(RandomNumbers, HaveAFreshSeedEachTime) {
    const RandomSeed a = fresh_seed(), b = fresh_seed();
    EXPECT_FALSE(a.global == b.global && a.op == b.op);
}

}  // namespace
}  // namespace rondo::ops::random_numbers_test
