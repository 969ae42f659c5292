#include "plugins/cpu/kernels/product/integer_gemm.hpp"

#include <algorithm>

#include "core/support/visit_type.hpp"
#include "core/support/wrapping.hpp"

namespace rondo::cpu {
namespace {

// to[j] += factor * from[j * step].
template <typename T>
void add_row(T* to, const T* from, std::int64_t step, std::int64_t n, T factor) {
    using Word = WrappingWord<T>;
    const auto add = [&](std::int64_t j, std::int64_t at) {
        to[j] = static_cast<T>(static_cast<Word>(to[j]) +
                               static_cast<Word>(factor) * static_cast<Word>(from[at]));
    };
    if (step == 1) {
        for (std::int64_t j = 0; j < n; ++j) add(j, j);
    } else {
        for (std::int64_t j = 0; j < n; ++j) add(j, j * step);
    }
}

}  // namespace

void integer_gemm(ElementType type, const IntegerGemm& gemm, std::int64_t begin, std::int64_t end) {
    visit_integer(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        const auto* a = static_cast<const T*>(gemm.a);
        const auto* b = static_cast<const T*>(gemm.b);
        for (std::int64_t i = begin; i < end; ++i) {
            T* row = static_cast<T*>(gemm.c) + i * gemm.n;
            std::fill_n(row, gemm.n, T{0});
            for (std::int64_t k = 0; k < gemm.k; ++k) {
                add_row(row, b + k * gemm.b_row, gemm.b_column, gemm.n,
                        a[i * gemm.a_row + k * gemm.a_column]);
            }
        }
    });
}

}  // namespace rondo::cpu
