#include "plugins/cpu/kernels/product/quantized_rows.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace rondo::cpu {
namespace {

constexpr std::int32_t kSteps = 255;
constexpr float kLeast = 0x1p-100F;
constexpr std::uint32_t kSign = 0x80000000;

// Bits of a row's least and greatest number, or of zeros. As integers, numbers of one sign have the
// order of their magnitudes, and NaN stands above infinity.
struct Extremes {
    std::uint32_t least = kSign;
    std::int32_t greatest = 0;
};

[[gnu::always_inline]] inline Extremes extremes_of(const float* row, std::int64_t k) {
    Extremes found;
    for (std::int64_t i = 0; i < k; ++i) {
        found.greatest = std::max(found.greatest, std::bit_cast<std::int32_t>(row[i]));
        found.least = std::max(found.least, std::bit_cast<std::uint32_t>(row[i]));
    }
    return found;
}

// Adding and subtracting `magic` rounds to the nearest integer, halves to the even one.
[[gnu::always_inline]] inline std::int32_t rounded(float value) {
    constexpr float magic = 0x1.8p23F;
    return static_cast<std::int32_t>((value + magic) - magic);
}

RowScale scale_of(const Extremes& extremes) {
    const auto least = std::bit_cast<float>(extremes.least);
    const auto greatest = std::bit_cast<float>(extremes.greatest);
    if (!std::isfinite(least) || !std::isfinite(greatest)) {
        return {std::numeric_limits<float>::quiet_NaN(), 0};
    }
    if (std::max(-least, greatest) < kLeast) return {};
    const float scale = greatest / kSteps - least / kSteps;
    return {scale, rounded(-least * (1 / scale))};
}

bool has_steps(const RowScale& scale) { return scale.scale > 0; }

// Q: std::uint8_t, or std::int16_t for integers less `zero`.
template <typename Q>
[[gnu::always_inline]] inline void round_all(const float* row, const RowScale& scale,
                                             std::int64_t k, Q* to) {
    const float factor = 1 / scale.scale;
    const std::int32_t taken = sizeof(Q) == 1 ? 0 : scale.zero;
    for (std::int64_t i = 0; i < k; ++i) {
        const std::int32_t integer = rounded(row[i] * factor) + scale.zero;
        to[i] = static_cast<Q>(std::clamp(integer, 0, kSteps) - taken);
    }
}

template <typename Q>
[[gnu::always_inline]] inline RowScale quantized(const float* row, std::int64_t k, void* to) {
    const RowScale scale = scale_of(extremes_of(row, k));
    auto* integers = static_cast<Q*>(to);
    if (has_steps(scale)) {
        round_all(row, scale, k, integers);
    } else {
        std::fill_n(integers, k, Q{0});
    }
    return scale;
}

template <typename Q>
RowScale plainly(const float* row, std::int64_t k, void* to) {
    return quantized<Q>(row, k, to);
}

template <typename Q>
[[gnu::target("avx2")]] RowScale with_avx2(const float* row, std::int64_t k, void* to) {
    return quantized<Q>(row, k, to);
}

template <typename Q>
[[gnu::target("avx512f,avx512bw,avx512vl,prefer-vector-width=512")]] RowScale with_avx512(
    const float* row, std::int64_t k, void* to) {
    return quantized<Q>(row, k, to);
}

template <typename Q>
RowScale quantize_as(Isa isa, const float* row, std::int64_t k, void* to) {
    switch (isa) {
        case Isa::plain: return plainly<Q>(row, k, to);
        case Isa::avx2: return with_avx2<Q>(row, k, to);
        case Isa::avx512: return with_avx512<Q>(row, k, to);
    }
    return plainly<Q>(row, k, to);
}

}  // namespace

RowScale quantize_row(Isa isa, int together, const float* row, std::int64_t k, void* to) {
    const bool bytes = together == 4;
    const std::int64_t number = bytes ? 1 : 2;
    std::fill_n(static_cast<char*>(to) + k * number, (whole_steps(k, together) - k) * number,
                char{0});
    return bytes ? quantize_as<std::uint8_t>(isa, row, k, to)
                 : quantize_as<std::int16_t>(isa, row, k, to);
}

}  // namespace rondo::cpu
