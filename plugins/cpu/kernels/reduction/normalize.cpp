#include "plugins/cpu/kernels/reduction/normalize.hpp"

#include <algorithm>
#include <cmath>

#include "core/ops/elementwise/functions.hpp"

namespace rondo::cpu {
namespace {

// How many partial sums a block is summed in, whatever the width of the registers.
constexpr int kSums = 16;
constexpr std::int64_t kDoubleBlock = 1024;  // elements whose sum is added in double

// The sum of term(x) over a block: lane j sums the elements j, j + 16, ...; the lanes are added as
// a tree.
template <typename T, typename Term>
T block_sum(const T* src, std::int64_t n, Term term) {
    T lanes[kSums] = {};
    std::int64_t i = 0;
    for (; i + kSums <= n; i += kSums) {
        for (int j = 0; j < kSums; ++j) lanes[j] += term(src[i + j]);
    }
    for (int j = 0; i + j < n; ++j) lanes[j] += term(src[i + j]);
    for (int width = kSums / 2; width > 0; width /= 2) {
        for (int j = 0; j < width; ++j) lanes[j] += lanes[j + width];
    }
    return lanes[0];
}

template <typename T, typename Term>
double sum_of(const T* src, std::int64_t n, Term term) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; i += kDoubleBlock) {
        sum += static_cast<double>(block_sum(src + i, std::min(kDoubleBlock, n - i), term));
    }
    return sum;
}

double factor_of(const NormalizeConfig& config, double variance) {
    const double root = config.eps_inside_sqrt ? std::sqrt(variance + config.eps)
                                               : std::sqrt(variance) + config.eps;
    return 1 / root;
}

}  // namespace

ElementwiseProgram NormalizeKernel::scaled(Precision precision) {
    using enum ElementKind;
    const auto step = [](ops::BinaryFunction function, std::uint8_t a, std::uint8_t b) {
        ProgramStep made{ProgramStep::Kind::binary, static_cast<std::uint8_t>(function), {}, 0};
        made.operands[0] = a;
        made.operands[1] = b;
        return made;
    };
    return {precision,
            {number, number, number},
            {step(ops::BinaryFunction::subtract, 0, 1), step(ops::BinaryFunction::multiply, 3, 2)},
            number};
}

template <typename T>
void NormalizeKernel::run_rows(const T* src, T* dst, std::int64_t rows, std::int64_t n) const {
    const auto count = static_cast<double>(n);
    for (std::int64_t row = 0; row < rows; ++row, src += n, dst += n) {
        const auto mean = static_cast<T>(sum_of(src, n, [](T x) { return x; }) / count);
        T factor = 1;
        if (config_.variance) {
            const double squares = sum_of(src, n, [mean](T x) { return (x - mean) * (x - mean); });
            factor = static_cast<T>(factor_of(config_, squares / count));
        }
        kernel_->run({{src, &mean, &factor}, {false, true, true}, dst, n});
    }
}

void NormalizeKernel::run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const {
    run_rows(src, dst, rows, n);
}

void NormalizeKernel::run(const double* src, double* dst, std::int64_t rows, std::int64_t n) const {
    run_rows(src, dst, rows, n);
}

}  // namespace rondo::cpu
