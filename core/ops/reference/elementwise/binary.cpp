// The binary family: one row a function.
#include "core/ops/elementwise/binary.hpp"

#include <cmath>
#include <string>

#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"
#include "core/ops/reference/elementwise/pairs.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

using ops::BinaryFunction;
using Word = std::uint64_t;

constexpr Word kMinusOne = ~Word{0};

// What a function of integers asks about its node.
struct Integers {
    const ops::Binary& node;
    bool is_signed;
};

struct BinaryRow {
    BinaryFunction function;
    double (*of_floats)(double a, double b);
    Word (*of_words)(Word a, Word b, const Integers& integers);
};

[[noreturn]] void divided_by_zero(const Node& node) {
    throw ModelError(describe(node) + ": divides an integer by 0; expected other divisors");
}

Word divide_words(Word a, Word b, const Integers& integers) {
    if (b == 0) divided_by_zero(integers.node);
    if (!integers.is_signed) return a / b;
    // Negating modulo 2^64, because the least integer has no negative.
    if (b == kMinusOne) return Word{0} - a;
    const auto x = static_cast<std::int64_t>(a);
    const auto y = static_cast<std::int64_t>(b);
    const bool to_correct = integers.node.python_division() && x % y != 0 && (x < 0) != (y < 0);
    return static_cast<Word>(x / y - (to_correct ? 1 : 0));
}

Word floor_mod_words(Word a, Word b, const Integers& integers) {
    if (b == 0) divided_by_zero(integers.node);
    if (!integers.is_signed) return a % b;
    if (b == kMinusOne) return 0;
    const auto y = static_cast<std::int64_t>(b);
    const std::int64_t rest = static_cast<std::int64_t>(a) % y;
    return static_cast<Word>(rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest);
}

Word mod_words(Word a, Word b, const Integers& integers) {
    if (b == 0) divided_by_zero(integers.node);
    if (!integers.is_signed) return a % b;
    if (b == kMinusOne) return 0;
    return static_cast<Word>(static_cast<std::int64_t>(a) % static_cast<std::int64_t>(b));
}

bool less(Word a, Word b, const Integers& integers) {
    return integers.is_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
}

// By squaring, modulo 2^64.
Word whole_power(Word base, Word exponent) {
    Word result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1u) != 0) result *= base;
        base *= base;
    }
    return result;
}

Word power_words(Word a, Word b, const Integers& integers) {
    if (!integers.is_signed || static_cast<std::int64_t>(b) >= 0) return whole_power(a, b);
    if (a == 0) divided_by_zero(integers.node);
    if (a == 1 || a == kMinusOne) return (b & 1u) != 0 ? a : 1;
    return 0;  // 1 / a^-b, towards zero
}

double floor_mod(double a, double b) {
    const double rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(0.0, b);
    return std::signbit(rest) != std::signbit(b) ? rest + b : rest;
}

double maximum(double a, double b) { return a > b || std::isnan(a) ? a : b; }
double minimum(double a, double b) { return a < b || std::isnan(a) ? a : b; }

constexpr BinaryRow kRows[] = {
    {BinaryFunction::add, [](double a, double b) { return a + b; },
     [](Word a, Word b, const Integers&) { return a + b; }},
    {BinaryFunction::divide, [](double a, double b) { return a / b; }, divide_words},
    {BinaryFunction::floor_mod, floor_mod, floor_mod_words},
    {BinaryFunction::maximum, maximum,
     [](Word a, Word b, const Integers& of) { return less(a, b, of) ? b : a; }},
    {BinaryFunction::minimum, minimum,
     [](Word a, Word b, const Integers& of) { return less(b, a, of) ? b : a; }},
    {BinaryFunction::mod, [](double a, double b) { return std::fmod(a, b); }, mod_words},
    {BinaryFunction::multiply, [](double a, double b) { return a * b; },
     [](Word a, Word b, const Integers&) { return a * b; }},
    {BinaryFunction::power, [](double a, double b) { return std::pow(a, b); }, power_words},
    {BinaryFunction::squared_difference, [](double a, double b) { return (a - b) * (a - b); },
     [](Word a, Word b, const Integers&) { return (a - b) * (a - b); }},
    {BinaryFunction::subtract, [](double a, double b) { return a - b; },
     [](Word a, Word b, const Integers&) { return a - b; }},
};
static_assert(ops::in_order_of_functions(kRows) && std::size(kRows) == std::size(ops::kBinaryOps));

}  // namespace

void binary(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = static_cast<const ops::Binary&>(node);
    const BinaryRow& row = kRows[static_cast<int>(op.function())];
    const Integers integers{op, is_signed(inputs[0].element_type())};
    compute_numbers(inputs[0], inputs[1], outputs[0], [&](const auto& a, const auto& b, auto& to) {
        for_each_pair(inputs, outputs[0].shape(), [&](std::size_t i, std::size_t x, std::size_t y) {
            if constexpr (std::is_same_v<decltype(+a[0]), double>) {
                to[i] = row.of_floats(a[x], b[y]);
            } else {
                to[i] = row.of_words(a[x], b[y], integers);
            }
        });
    });
}

}  // namespace rondo::reference
