#include "plugins/cpu/kernels/product/word_rows.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace rondo::cpu {
namespace {

constexpr float kMost = std::numeric_limits<std::int16_t>::max();
constexpr float kLeast = 0x1p-100F;

// As integers, magnitudes have the order of their numbers, and NaN stands above infinity.
[[gnu::always_inline]] inline float greatest(const float* row, std::int64_t k) {
    std::int32_t most = 0;
    for (std::int64_t i = 0; i < k; ++i) {
        const std::int32_t magnitude = std::bit_cast<std::int32_t>(row[i]) & 0x7fffffff;
        most = std::max(most, magnitude);
    }
    return std::bit_cast<float>(most);
}

// Adding and subtracting `magic` rounds to the nearest integer, halves to the even one.
[[gnu::always_inline]] inline void round_all(const float* row, float factor, std::int64_t k,
                                             std::int16_t* to) {
    constexpr float magic = 0x1.8p23F;
    for (std::int64_t i = 0; i < k; ++i) {
        const float rounded = (row[i] * factor + magic) - magic;
        to[i] = static_cast<std::int16_t>(static_cast<std::int32_t>(rounded));
    }
}

[[gnu::always_inline]] inline float round_row(const float* row, std::int64_t k, std::int16_t* to) {
    const float most = greatest(row, k);
    if (most >= kLeast && std::isfinite(most)) {
        round_all(row, kMost / most, k, to);
        return most / kMost;
    }
    std::fill_n(to, k, std::int16_t{0});
    return most < kLeast ? 0.0F : std::numeric_limits<float>::quiet_NaN();
}

[[gnu::target("avx2")]] float round_with_avx2(const float* row, std::int64_t k, std::int16_t* to) {
    return round_row(row, k, to);
}

}  // namespace

float round_to_words(bool vectors, const float* row, std::int64_t k, std::int16_t* to) {
    return vectors ? round_with_avx2(row, k, to) : round_row(row, k, to);
}

}  // namespace rondo::cpu
