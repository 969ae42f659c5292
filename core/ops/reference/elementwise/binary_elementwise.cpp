#include "core/ops/elementwise/binary_elementwise.hpp"

#include <cmath>
#include <string>

#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/common/walk.hpp"
#include "core/ops/reference/evaluators.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

// result = f(a, b) over the broadcast shape; `f` takes two doubles or two words.
template <typename F>
void elementwise(std::span<const Tensor> inputs, Tensor& output, F f) {
    const Shape& shape = output.shape();
    const auto a_strides = broadcast_strides(inputs[0].shape(), shape);
    const auto b_strides = broadcast_strides(inputs[1].shape(), shape);
    compute_numbers(inputs[0], inputs[1], output, [&](const auto& a, const auto& b, auto& result) {
        std::size_t i = 0;
        walk(shape, a_strides, b_strides,
             [&](std::size_t at_a, std::size_t at_b) { result[i++] = f(a[at_a], b[at_b]); });
    });
}

[[noreturn]] void divided_by_zero(const Node& node) {
    throw ModelError(describe(node) + ": divides an integer by 0; expected other divisors");
}

struct Quotient {
    const Node& node;
    bool is_signed;
    bool rounds_down;

    double operator()(double a, double b) const { return a / b; }

    std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
        if (b == 0) divided_by_zero(node);
        if (!is_signed) return a / b;
        // Negating modulo 2^64, because the least integer has no negative.
        if (b == ~std::uint64_t{0}) return std::uint64_t{0} - a;
        const auto x = static_cast<std::int64_t>(a);
        const auto y = static_cast<std::int64_t>(b);
        const bool to_correct = rounds_down && x % y != 0 && (x < 0) != (y < 0);
        return static_cast<std::uint64_t>(x / y - (to_correct ? 1 : 0));
    }
};

// By squaring, modulo 2^64.
std::uint64_t whole_power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1u) != 0) result *= base;
        base *= base;
    }
    return result;
}

struct PowerOf {
    const Node& node;
    bool is_signed;

    double operator()(double a, double b) const { return std::pow(a, b); }

    std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
        constexpr auto kMinusOne = ~std::uint64_t{0};
        if (!is_signed || static_cast<std::int64_t>(b) >= 0) return whole_power(a, b);
        if (a == 0) divided_by_zero(node);
        if (a == 1 || a == kMinusOne) return (b & 1u) != 0 ? a : 1;
        return 0;  // 1 / a^-b, towards zero
    }
};

}  // namespace

void add(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    elementwise(inputs, outputs[0], [](auto a, auto b) { return a + b; });
}

void subtract(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    elementwise(inputs, outputs[0], [](auto a, auto b) { return a - b; });
}

void multiply(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    elementwise(inputs, outputs[0], [](auto a, auto b) { return a * b; });
}

void divide(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const bool rounds_down = static_cast<const ops::Divide&>(node).python_division();
    elementwise(inputs, outputs[0],
                Quotient{node, is_signed(inputs[0].element_type()), rounds_down});
}

void power(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    elementwise(inputs, outputs[0], PowerOf{node, is_signed(inputs[0].element_type())});
}

}  // namespace rondo::reference
