#include "tests/support/function_facts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/support/errors.hpp"

namespace rondo::test {
namespace {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::LogicalFunction;
using ops::ReduceFunction;
using ops::UnaryFunction;
using Real = long double;
using Row = std::vector<Real>;

constexpr double kRounding = 0.51;  // the truth is rounded too
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// max(x, 0) and the like, with NaN in NaN out.
Real above(Real x, Real bound) { return x < bound ? bound : x; }
Real below(Real x, Real bound) { return x > bound ? bound : x; }
Real hard(Real x) { return below(above(x + 3, 0), 6) / 6; }
Real softplus(Real x) { return above(x, 0) + log1pl(expl(-fabsl(x))); }
Real sign(Real x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
Real sigmoid(Real x) { return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x)); }

std::int64_t same(std::int64_t x) { return x; }

// fmodl is exact.
Real floor_mod(Real a, Real b) {
    const Real rest = fmodl(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(floorl(static_cast<Real>(a) / static_cast<Real>(b)));
}

std::int64_t power(std::int64_t a, std::int64_t b) {
    std::int64_t result = 1;
    for (; b > 0; --b) result *= a;
    return result;
}

// The sum of f(x) over the row.
Real sum_of(const Row& row, Real (*f)(Real)) {
    Real result = 0;
    for (const Real x : row) result += f(x);
    return result;
}

Real sum(const Row& row) {
    return sum_of(row, [](Real x) { return x; });
}

}  // namespace

const std::vector<UnaryFacts>& unary_facts() {
    static const std::vector<UnaryFacts> kFacts = {
        {UnaryFunction::abs,
         fabsl,
         -9,
         9,
         0,
         {{-kInf, kInf}, {-0.0, 0}, {kNan, kNan}},
         [](std::int64_t x) { return x < 0 ? -x : x; }},
        {UnaryFunction::acos, acosl, -1, 1, 4, {{1, 0}, {1.5, kNan}, {kNan, kNan}}},
        {UnaryFunction::acosh,
         acoshl,
         1,
         50,
         4,
         {{1, 0}, {0.5, kNan}, {-1e10, kNan}, {-1e30, kNan}, {-kInf, kNan}, {kInf, kInf}}},
        {UnaryFunction::asin, asinl, -1, 1, 4, {{-0.0, -0.0}, {-1.5, kNan}, {kNan, kNan}}},
        {UnaryFunction::asinh, asinhl, -50, 50, 4, {{-0.0, -0.0}, {-kInf, -kInf}, {kNan, kNan}}},
        {UnaryFunction::atan, atanl, -50, 50, 4, {{-0.0, -0.0}, {kNan, kNan}}},
        {UnaryFunction::atanh, atanhl, -1, 1, 4, {{-0.0, -0.0}, {1, kInf}, {2, kNan}}},
        {UnaryFunction::bitwise_not, nullptr, -9, 9, 0, {}, [](std::int64_t x) { return ~x; }},
        {UnaryFunction::ceiling, ceill, -9, 9, 0, {{-0.5, -0.0}, {kInf, kInf}, {kNan, kNan}}, same},
        {UnaryFunction::cos, cosl, -50, 50, 4, {{0, 1}, {kInf, kNan}, {kNan, kNan}}},
        {UnaryFunction::cosh, coshl, -50, 50, 4, {{0, 1}, {-kInf, kInf}, {kNan, kNan}}},
        {UnaryFunction::erf, erfl, -5, 5, 4, {{-0.0, -0.0}, {kInf, 1}, {kNan, kNan}}},
        {UnaryFunction::exp, expl, -80, 80, 4, {{0, 1}, {-kInf, 0}, {kInf, kInf}, {kNan, kNan}}},
        {UnaryFunction::floor,
         floorl,
         -9,
         9,
         0,
         {{-0.0, -0.0}, {-kInf, -kInf}, {kNan, kNan}},
         same},
        {UnaryFunction::hsigmoid, hard, -4, 4, 4, {{-kInf, 0}, {kInf, 1}, {kNan, kNan}, {-3, 0}}},
        {UnaryFunction::hswish,
         [](Real x) { return x <= -3 ? -0.0L : x * hard(x); },
         -4,
         4,
         4,
         {{-kInf, -0.0}, {kInf, kInf}, {kNan, kNan}}},
        {UnaryFunction::log, logl, 0.01L, 50, 4, {{1, 0}, {0, -kInf}, {-1, kNan}, {kInf, kInf}}},
        {UnaryFunction::logical_not, nullptr, 0, 0, 0, {}},
        {UnaryFunction::mish,
         [](Real x) { return x * tanhl(softplus(x)); },
         -20,
         20,
         8,
         {{0, 0}, {kInf, kInf}, {kNan, kNan}}},
        {UnaryFunction::negative,
         [](Real x) { return -x; },
         -9,
         9,
         0,
         {{0, -0.0}, {kInf, -kInf}},
         [](std::int64_t x) { return -x; }},
        {UnaryFunction::relu,
         [](Real x) { return above(x, 0); },
         -9,
         9,
         0,
         {{-kInf, 0}, {kInf, kInf}, {kNan, kNan}},
         [](std::int64_t x) { return std::max<std::int64_t>(x, 0); }},
        {UnaryFunction::round,
         nearbyintl,
         -9,
         9,
         0,
         {{0.5, 0}, {1.5, 2}, {-2.5, -2}, {-0.25, -0.0}, {kInf, kInf}, {kNan, kNan}},
         same},
        {UnaryFunction::sigmoid, sigmoid, -50, 50, 4, {{-kInf, 0}, {kInf, 1}, {kNan, kNan}}},
        {UnaryFunction::sign,
         sign,
         -9,
         9,
         0,
         {{0, 0}, {-kInf, -1}, {kInf, 1}, {kNan, kNan}},
         [](std::int64_t x) { return static_cast<std::int64_t>(x > 0) - (x < 0 ? 1 : 0); }},
        {UnaryFunction::sin, sinl, -50, 50, 4, {{-0.0, -0.0}, {kInf, kNan}, {kNan, kNan}}},
        {UnaryFunction::sinh, sinhl, -50, 50, 4, {{-0.0, -0.0}, {-kInf, -kInf}, {kNan, kNan}}},
        {UnaryFunction::softplus, softplus, -50, 50, 4, {{-kInf, 0}, {kInf, kInf}, {kNan, kNan}}},
        {UnaryFunction::softsign,
         [](Real x) { return x / (1 + fabsl(x)); },
         -50,
         50,
         4,
         {{-kInf, -1}, {kInf, 1}, {kNan, kNan}}},
        {UnaryFunction::sqrt, sqrtl, 0, 50, 0.5, {{-0.0, -0.0}, {-1, kNan}, {kInf, kInf}}},
        {UnaryFunction::tan, tanl, -50, 50, 4, {{-0.0, -0.0}, {kInf, kNan}, {kNan, kNan}}},
        {UnaryFunction::tanh,
         tanhl,
         -50,
         50,
         4,
         {{-0.0, -0.0}, {-kInf, -1}, {kInf, 1}, {kNan, kNan}}},
    };
    return kFacts;
}

const std::vector<BinaryFacts>& binary_facts() {
    using Int = std::int64_t;
    static const std::vector<BinaryFacts> kFacts = {
        {BinaryFunction::add, [](Real a, Real b) { return a + b; }, -9, 9, 0,
         [](Int a, Int b) { return a + b; }},
        {BinaryFunction::bitwise_and, nullptr, 0, 0, 0, [](Int a, Int b) { return a & b; }},
        {BinaryFunction::bitwise_left_shift, nullptr, 0, 0, 0,
         [](Int a, Int b) { return a * (Int{1} << b); }},
        {BinaryFunction::bitwise_or, nullptr, 0, 0, 0, [](Int a, Int b) { return a | b; }},
        {BinaryFunction::bitwise_right_shift, nullptr, 0, 0, 0,
         [](Int a, Int b) { return floor_quotient(a, Int{1} << b); }},
        {BinaryFunction::bitwise_xor, nullptr, 0, 0, 0, [](Int a, Int b) { return a ^ b; }},
        {BinaryFunction::divide, [](Real a, Real b) { return a / b; }, -9, 9, 0, floor_quotient},
        {BinaryFunction::floor_mod, floor_mod, -9, 9, 0,
         [](Int a, Int b) { return a - b * floor_quotient(a, b); }},
        {BinaryFunction::maximum, [](Real a, Real b) { return std::max(a, b); }, -9, 9, 0,
         [](Int a, Int b) { return std::max(a, b); }},
        {BinaryFunction::minimum, [](Real a, Real b) { return std::min(a, b); }, -9, 9, 0,
         [](Int a, Int b) { return std::min(a, b); }},
        {BinaryFunction::mod, fmodl, -9, 9, 0, [](Int a, Int b) { return a % b; }},
        {BinaryFunction::multiply, [](Real a, Real b) { return a * b; }, -9, 9, 0,
         [](Int a, Int b) { return a * b; }},
        {BinaryFunction::power, powl, 0.1L, 9, 8, power},
        {BinaryFunction::squared_difference, [](Real a, Real b) { return (a - b) * (a - b); }, -9,
         9, 2, [](Int a, Int b) { return (a - b) * (a - b); }},
        {BinaryFunction::subtract, [](Real a, Real b) { return a - b; }, -9, 9, 0,
         [](Int a, Int b) { return a - b; }},
    };
    return kFacts;
}

const std::vector<CompareFacts>& compare_facts() {
    static const std::vector<CompareFacts> kFacts = {
        {CompareFunction::equal, [](Real a, Real b) { return a == b; }},
        {CompareFunction::greater, [](Real a, Real b) { return a > b; }},
        {CompareFunction::greater_equal, [](Real a, Real b) { return a >= b; }},
        {CompareFunction::less, [](Real a, Real b) { return a < b; }},
        {CompareFunction::less_equal, [](Real a, Real b) { return a <= b; }},
        {CompareFunction::not_equal, [](Real a, Real b) { return a != b; }},
    };
    return kFacts;
}

const std::vector<LogicalFacts>& logical_facts() {
    static const std::vector<LogicalFacts> kFacts = {
        {LogicalFunction::logical_and, [](bool a, bool b) { return a && b; }},
        {LogicalFunction::logical_or, [](bool a, bool b) { return a || b; }},
        {LogicalFunction::logical_xor, [](bool a, bool b) { return a != b; }},
    };
    return kFacts;
}

const std::vector<ReduceFacts>& reduce_facts() {
    static const auto count = [](const Row& row) { return static_cast<Real>(row.size()); };
    static const std::vector<ReduceFacts> kFacts = {
        {ReduceFunction::l1, [](const Row& row) { return sum_of(row, fabsl); }, 4},
        {ReduceFunction::l2,
         [](const Row& row) { return sqrtl(sum_of(row, [](Real x) { return x * x; })); }, 4},
        {ReduceFunction::logical_and,
         [](const Row& row) -> Real { return sum(row) == count(row) ? 1 : 0; }, 0},
        {ReduceFunction::logical_or, [](const Row& row) -> Real { return sum(row) > 0 ? 1 : 0; },
         0},
        {ReduceFunction::max,
         [](const Row& row) { return *std::max_element(row.begin(), row.end()); }, 0},
        {ReduceFunction::mean, [](const Row& row) { return sum(row) / count(row); }, 4},
        {ReduceFunction::min,
         [](const Row& row) { return *std::min_element(row.begin(), row.end()); }, 0},
        {ReduceFunction::prod,
         [](const Row& row) {
             Real product = 1;
             for (const Real x : row) product *= x;
             return product;
         },
         16},
        {ReduceFunction::sum, sum, 4},
    };
    return kFacts;
}

long double ulp_distance(long double actual, long double expected, ElementType type) {
    if (std::isnan(actual) && std::isnan(expected)) return 0;
    if (actual == expected) return 0;
    if (!std::isfinite(actual) || !std::isfinite(expected)) return kInf;
    const bool is_bf16 = type == ElementType::bf16;
    const int digits = type == ElementType::f64   ? 53
                       : type == ElementType::f32 ? 24
                       : is_bf16                  ? 8
                                                  : 11;
    const int least = type == ElementType::f64 ? -1022 : type == ElementType::f16 ? -14 : -126;
    const int exponent = expected == 0 ? least : std::max(std::ilogb(expected), least);
    return fabsl(actual - expected) / ldexpl(1, exponent - digits + 1);
}

Tensor unary_samples(const UnaryFacts& facts, ElementType type, Rng& rng) {
    constexpr std::size_t kDrawn = 997;
    const std::size_t count = facts.special.size() + kDrawn;
    const Tensor drawn =
        random_tensor(ElementType::f64, {count}, rng, static_cast<double>(facts.low),
                      static_cast<double>(facts.high));
    for (std::size_t i = 0; i < facts.special.size(); ++i) {
        const_cast<double*>(drawn.data<double>())[i] = facts.special[i].first;
    }
    return converted(drawn, type);
}

void expect_unary(const UnaryFacts& facts, const Tensor& x, const Tensor& actual,
                  SourceLocation where) {
    const testing::ScopedTrace trace(where.file_name(), where.line(), "facts of a unary function");
    ASSERT_EQ(actual.shape(), x.shape());
    const ElementType type = x.element_type();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const long double from = element_at(x, i);
        const long double got = element_at(actual, i);
        if (i < facts.special.size()) {
            const auto expected = static_cast<long double>(facts.special[i].second);
            ASSERT_EQ(ulp_distance(got, expected, type), 0)
                << "f(" << from << ") is " << got << "; expected " << expected;
            ASSERT_TRUE(expected != 0 || std::signbit(got) == std::signbit(expected)) << from;
        } else {
            ASSERT_LE(ulp_distance(got, facts.of(from), type), facts.ulp + kRounding)
                << "f(" << from << ") is " << got << "; expected " << facts.of(from);
        }
    }
}

void expect_binary(const BinaryFacts& facts, const Tensor& a, const Tensor& b, const Tensor& actual,
                   SourceLocation where) {
    const testing::ScopedTrace trace(where.file_name(), where.line(), "facts of a binary function");
    const ElementType type = a.element_type();
    for (std::size_t i = 0; i < a.size(); ++i) {
        const long double x = element_at(a, i);
        const long double y = element_at(b, i);
        const long double expected = facts.of(x, y);
        ASSERT_LE(ulp_distance(element_at(actual, i), expected, type), facts.ulp + kRounding)
            << "f(" << x << ", " << y << ") is " << element_at(actual, i) << "; expected "
            << expected;
    }
}

}  // namespace rondo::test
