#include "plugins/cpu/kernels/reduction/softmax.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/ops/elementwise/functions.hpp"

namespace rondo::cpu {
namespace {

// How many partial results a row has.
constexpr int kRowLanes = 16;

template <typename T>
T row_max(const T* src, std::int64_t n) {
    T lanes[kRowLanes];
    std::fill_n(lanes, kRowLanes, -std::numeric_limits<T>::infinity());
    std::int64_t i = 0;
    for (; i + kRowLanes <= n; i += kRowLanes) {
        for (int j = 0; j < kRowLanes; ++j) {
            lanes[j] = src[i + j] > lanes[j] ? src[i + j] : lanes[j];
        }
    }
    for (int j = 0; i + j < n; ++j) lanes[j] = std::max(lanes[j], src[i + j]);
    return *std::max_element(lanes, lanes + kRowLanes);
}

// Lane j sums the elements j, j + 16, ...; the lanes are added as a tree.
template <typename T>
class RowSum {
public:
    // Adds the next n elements. Only in the last call may n be no multiple of 16.
    void add(const T* src, std::int64_t n) {
        std::int64_t i = 0;
        for (; i + kRowLanes <= n; i += kRowLanes) {
            for (int j = 0; j < kRowLanes; ++j) lanes_[j] += src[i + j];
        }
        for (int j = 0; i + j < n; ++j) lanes_[j] += src[i + j];
    }

    T total() const {
        T sums[kRowLanes];
        std::copy_n(lanes_, kRowLanes, sums);
        for (int width = kRowLanes / 2; width > 0; width /= 2) {
            for (int j = 0; j < width; ++j) sums[j] += sums[j + width];
        }
        return sums[0];
    }

private:
    T lanes_[kRowLanes] = {};
};

using Kind = ProgramStep::Kind;

constexpr std::int64_t kSoftmaxBlock = 512;  // elements; a multiple of kRowLanes

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

ElementwiseProgram LogSoftmaxKernel::logarithm(Precision precision) {
    using enum ElementKind;
    return {precision, {number}, {step(Kind::unary, ops::UnaryFunction::log, {0})}, number};
}

ElementwiseProgram LogSoftmaxKernel::difference(Precision precision) {
    using enum ElementKind;
    return {precision,
            {number, number, number},
            {step(Kind::binary, ops::BinaryFunction::subtract, {0, 1}),
             step(Kind::binary, ops::BinaryFunction::subtract, {3, 2})},
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
