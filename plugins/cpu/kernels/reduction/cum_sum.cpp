#include "plugins/cpu/kernels/reduction/cum_sum.hpp"

#include <algorithm>
#include <type_traits>

#include "core/support/visit_type.hpp"
#include "core/support/wrapping.hpp"
#include "plugins/cpu/kernels/math/element_number.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kLines = 64;  // that lie side by side, computed at once

// What is summed: doubles, or integers of the same width.
template <typename T>
using SumOf = std::conditional_t<std::is_integral_v<T>, T, double>;

template <typename T>
SumOf<T> number_of(T element) {
    if constexpr (std::is_integral_v<T>) {
        return element;
    } else {
        return widened(element);
    }
}

template <typename T>
T element_of(SumOf<T> sum) {
    if constexpr (std::is_integral_v<T>) {
        return sum;
    } else {
        return rounded<T>(sum);
    }
}

// `lines` neighbours; `at` counts from the first element of the first of them.
template <typename T>
void sum_lines(const T* from, T* to, const CumSumSizes& sizes, std::int64_t lines,
               const CumSumOptions& options) {
    SumOf<T> sums[kLines];
    std::fill_n(sums, lines, static_cast<SumOf<T>>(options.multiplies ? 1 : 0));
    for (std::int64_t i = 0; i < sizes.n; ++i) {
        const std::int64_t at = (options.reverse ? sizes.n - 1 - i : i) * sizes.inner;
        for (std::int64_t line = 0; line < lines; ++line) {
            const SumOf<T> before = sums[line];
            const SumOf<T> element = number_of(from[at + line]);
            sums[line] = options.multiplies ? product_of(before, element) : sum_of(before, element);
            to[at + line] = element_of<T>(options.exclusive ? before : sums[line]);
        }
    }
}

}  // namespace

template <typename T>
void CumSum::run_lines(const Run& run) {
    const CumSumSizes& sizes = run.sizes;
    for (std::int64_t begin = run.begin; begin < run.end;) {
        const std::int64_t column = begin % sizes.inner;
        const std::int64_t lines = std::min({kLines, sizes.inner - column, run.end - begin});
        const std::int64_t first = begin / sizes.inner * sizes.inner * sizes.n + column;
        sum_lines(static_cast<const T*>(run.from) + first, static_cast<T*>(run.to) + first, sizes,
                  lines, run.options);
        begin += lines;
    }
}

CumSum::CumSum(ElementType type, CumSumOptions options) : options_(options) {
    visit_type(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        if constexpr (std::is_same_v<T, bool>) {
            internal_error("booleans are summed");
        } else {
            run_ = run_lines<T>;
        }
    });
}

}  // namespace rondo::cpu
