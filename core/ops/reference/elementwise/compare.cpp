// The compare family: one row a function.
#include "core/ops/elementwise/compare.hpp"

#include "core/ops/reference/common/booleans.hpp"
#include "core/ops/reference/common/doubles.hpp"
#include "core/ops/reference/common/words.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"
#include "core/ops/reference/elementwise/pairs.hpp"

namespace rondo::reference {
namespace {

using ops::CompareFunction;

struct CompareRow {
    CompareFunction function;
    bool (*of_floats)(double a, double b);
    bool (*of_signed)(std::int64_t a, std::int64_t b);
    bool (*of_unsigned)(std::uint64_t a, std::uint64_t b);
};

template <typename F>
constexpr CompareRow row(CompareFunction function, F f) {
    return {function, f, f, f};
}

constexpr CompareRow kRows[] = {
    row(CompareFunction::equal, [](auto a, auto b) { return a == b; }),
    row(CompareFunction::greater, [](auto a, auto b) { return a > b; }),
    row(CompareFunction::greater_equal, [](auto a, auto b) { return a >= b; }),
    row(CompareFunction::less, [](auto a, auto b) { return a < b; }),
    row(CompareFunction::less_equal, [](auto a, auto b) { return a <= b; }),
    row(CompareFunction::not_equal, [](auto a, auto b) { return a != b; }),
};
static_assert(ops::in_order_of_functions(kRows) && std::size(kRows) == std::size(ops::kCompareOps));

}  // namespace

void compare(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const CompareRow& row =
        kRows[static_cast<int>(static_cast<const ops::Compare&>(node).function())];
    const ElementType type = inputs[0].element_type();
    bool* to = outputs[0].data<bool>();
    const auto all = [&](const auto& a, const auto& b, auto holds) {
        for_each_pair(inputs, outputs[0].shape(), [&](std::size_t i, std::size_t x, std::size_t y) {
            to[i] = holds(a[x], b[y]);
        });
    };
    if (is_floating(type)) {
        all(to_doubles(inputs[0]), to_doubles(inputs[1]), row.of_floats);
        return;
    }
    const auto a = to_words_or_bits(inputs[0]);
    const auto b = to_words_or_bits(inputs[1]);
    if (!is_signed(type)) return all(a, b, row.of_unsigned);
    all(a, b, [&](std::uint64_t x, std::uint64_t y) {
        return row.of_signed(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y));
    });
}

}  // namespace rondo::reference
