#include "plugins/cpu/kernels/reduction/softmax.hpp"

#include <algorithm>

#include "core/ops/elementwise/functions.hpp"
#include "plugins/cpu/kernels/reduction/row_sums.hpp"

namespace rondo::cpu {
namespace {

using Kind = ProgramStep::Kind;

template <typename Function>
ProgramStep step(Kind kind, Function function, std::initializer_list<std::uint8_t> operands) {
    ProgramStep made{kind, static_cast<std::uint8_t>(function), {}, 0};
    std::copy(operands.begin(), operands.end(), made.operands);
    return made;
}

}  // namespace

ElementwiseProgram SoftmaxKernel::exponential(Precision precision) {
    using enum ElementKind;
    return {precision,
            {number, number},
            {step(Kind::binary, ops::BinaryFunction::subtract, {0, 1}),
             step(Kind::unary, ops::UnaryFunction::exp, {2})},
            number};
}

ElementwiseProgram SoftmaxKernel::quotient(Precision precision) {
    using enum ElementKind;
    return {precision,
            {number, number},
            {step(Kind::binary, ops::BinaryFunction::divide, {0, 1})},
            number};
}

template <typename T>
void SoftmaxKernel::run_rows(const T* src, T* dst, std::int64_t rows, std::int64_t n) const {
    for (std::int64_t row = 0; row < rows; ++row, src += n, dst += n) {
        const T largest = row_max(src, n);
        exponential_->run({{src, &largest}, {false, true}, dst, n});
        RowSum<T> sums;
        sums.add(dst, n);
        const T sum = sums.total();
        quotient_->run({{dst, &sum}, {false, true}, dst, n});
    }
}

void SoftmaxKernel::run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const {
    run_rows(src, dst, rows, n);
}

void SoftmaxKernel::run(const double* src, double* dst, std::int64_t rows, std::int64_t n) const {
    run_rows(src, dst, rows, n);
}

template <typename T>
void SoftmaxLines<T>::run(const T* src, T* dst, std::int64_t begin, std::int64_t end,
                          T* scratch) const {
    if (inner_ == 1) return kernel_.run(src + begin * n_, dst + begin * n_, end - begin, n_);
    while (begin < end) {
        const std::int64_t column = begin % inner_;
        const std::int64_t lines = std::min({kLines, inner_ - column, end - begin});
        const std::int64_t first = begin / inner_ * inner_ * n_ + column;
        for (std::int64_t i = 0; i < n_; ++i) {
            for (std::int64_t j = 0; j < lines; ++j) {
                scratch[j * n_ + i] = src[first + i * inner_ + j];
            }
        }
        kernel_.run(scratch, scratch, lines, n_);
        for (std::int64_t i = 0; i < n_; ++i) {
            for (std::int64_t j = 0; j < lines; ++j) {
                dst[first + i * inner_ + j] = scratch[j * n_ + i];
            }
        }
        begin += lines;
    }
}

template class SoftmaxLines<float>;
template class SoftmaxLines<double>;

}  // namespace rondo::cpu
