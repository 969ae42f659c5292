#include "plugins/cpu/kernels/reduction/softmax.hpp"

#include <algorithm>

#include "core/ops/elementwise/functions.hpp"
#include "plugins/cpu/kernels/reduction/row_sums.hpp"

namespace rondo::cpu {
namespace {

using Kind = ProgramStep::Kind;

constexpr std::int64_t kSoftmaxBlock = 512;  // elements; a multiple of kRowLanes

}  // namespace

ElementwiseProgram LogSoftmaxKernel::logarithm(Precision precision) {
    using enum ElementKind;
    const auto log = static_cast<std::uint8_t>(ops::UnaryFunction::log);
    return {precision, {number}, {{Kind::unary, log, {0}, 0}}, number};
}

ElementwiseProgram LogSoftmaxKernel::difference(Precision precision) {
    using enum ElementKind;
    const auto subtract = static_cast<std::uint8_t>(ops::BinaryFunction::subtract);
    return {precision,
            {number, number, number},
            {{Kind::binary, subtract, {0, 1}, 0}, {Kind::binary, subtract, {3, 2}, 0}},
            number};
}

template <typename T>
T LogSoftmaxKernel::log_of_sum(const T* src, std::int64_t n, T largest) const {
    T block[kSoftmaxBlock];
    RowSum<T> sum;
    for (std::int64_t i = 0; i < n; i += kSoftmaxBlock) {
        const std::int64_t some = std::min(kSoftmaxBlock, n - i);
        exponential_->run({{src + i, &largest}, {false, true}, block, some});
        sum.add(block, some);
    }
    const T total = sum.total();
    T result;
    logarithm_->run({{&total}, {false}, &result, 1});
    return result;
}

template <typename T>
void LogSoftmaxKernel::run_rows(const T* src, T* dst, std::int64_t rows, std::int64_t n) const {
    for (std::int64_t row = 0; row < rows; ++row, src += n, dst += n) {
        const T largest = row_max(src, n);
        const T log_sum = log_of_sum(src, n, largest);
        difference_->run({{src, &largest, &log_sum}, {false, true, true}, dst, n});
    }
}

void LogSoftmaxKernel::run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const {
    run_rows(src, dst, rows, n);
}

void LogSoftmaxKernel::run(const double* src, double* dst, std::int64_t rows,
                           std::int64_t n) const {
    run_rows(src, dst, rows, n);
}

}  // namespace rondo::cpu
