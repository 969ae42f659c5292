#include "plugins/cpu/kernels/reduction/softmax.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace rondo::cpu {
namespace {

// How many partial sums a row is summed in, whatever the width of the registers.
constexpr int kSums = 16;

float row_max(const float* src, std::int64_t n) {
    float lanes[kSums];
    std::fill_n(lanes, kSums, -std::numeric_limits<float>::infinity());
    std::int64_t i = 0;
    for (; i + kSums <= n; i += kSums) {
        for (int j = 0; j < kSums; ++j) lanes[j] = src[i + j] > lanes[j] ? src[i + j] : lanes[j];
    }
    for (int j = 0; i + j < n; ++j) lanes[j] = std::max(lanes[j], src[i + j]);
    return *std::max_element(lanes, lanes + kSums);
}

// Lane j sums the elements j, j + 16, ...; the lanes are added as a tree.
float row_sum(const float* src, std::int64_t n) {
    float lanes[kSums] = {};
    std::int64_t i = 0;
    for (; i + kSums <= n; i += kSums) {
        for (int j = 0; j < kSums; ++j) lanes[j] += src[i + j];
    }
    for (int j = 0; i + j < n; ++j) lanes[j] += src[i + j];
    for (int width = kSums / 2; width > 0; width /= 2) {
        for (int j = 0; j < width; ++j) lanes[j] += lanes[j + width];
    }
    return lanes[0];
}

}  // namespace

SoftmaxKernel::SoftmaxKernel(Isa isa, std::unique_ptr<UnaryKernel> exp)
    : isa_(isa), exp_(std::move(exp)) {}

void SoftmaxKernel::run(const float* src, float* dst, std::int64_t rows, std::int64_t n) const {
    for (std::int64_t row = 0; row < rows; ++row, src += n, dst += n) {
        binary_right_scalar(isa_, BinaryKind::subtract, src, row_max(src, n), dst, n);
        exp_->run(dst, dst, n);
        binary_right_scalar(isa_, BinaryKind::divide, dst, row_sum(dst, n), dst, n);
    }
}

}  // namespace rondo::cpu
