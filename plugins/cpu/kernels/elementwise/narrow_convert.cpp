#include "plugins/cpu/kernels/elementwise/narrow_convert.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/support/errors.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace rondo::cpu {
namespace {

constexpr std::int64_t kCutBlock = 8;

#if defined(__x86_64__)

// Four numbers towards zero, within the bounds; 0 of NaN.
template <typename To>
__m128i cut_four(const float* from) {
    const __m128 value = _mm_loadu_ps(from);
    const __m128 number = _mm_and_ps(value, _mm_cmpord_ps(value, value));
    const __m128 high = _mm_max_ps(number, _mm_set1_ps(std::numeric_limits<To>::min()));
    return _mm_cvttps_epi32(_mm_min_ps(high, _mm_set1_ps(std::numeric_limits<To>::max())));
}

void store(const __m128i& low, const __m128i& high, std::int16_t* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_packs_epi32(low, high));
}

// There is only a pack of signed numbers: they are moved into its range, and back.
void store(const __m128i& low, const __m128i& high, std::uint16_t* to) {
    const __m128i half = _mm_set1_epi32(1 << 15);
    const __m128i packed = _mm_packs_epi32(_mm_sub_epi32(low, half), _mm_sub_epi32(high, half));
    const __m128i sign = _mm_set1_epi16(std::numeric_limits<std::int16_t>::min());
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_xor_si128(packed, sign));
}

void store(const __m128i& low, const __m128i& high, std::int8_t* to) {
    const __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi16(words, words));
}

void store(const __m128i& low, const __m128i& high, std::uint8_t* to) {
    const __m128i words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(words, words));
}

// kCutBlock numbers towards zero, saturated; NaN gives 0.
template <typename To>
void cut_block(const float* from, To* to) {
    store(cut_four<To>(from), cut_four<To>(from + kCutBlock / 2), to);
}

#else

// kCutBlock numbers towards zero, saturated; NaN gives 0.
template <typename To>
void cut_block(const float* from, To* to) {
    constexpr float kLeast = std::numeric_limits<To>::min(), kMost = std::numeric_limits<To>::max();
    for (std::int64_t i = 0; i < kCutBlock; ++i) {
        const float number = from[i] == from[i] ? from[i] : 0.0F;
        const float high = number > kLeast ? number : kLeast;
        to[i] = static_cast<To>(static_cast<std::int32_t>(high < kMost ? high : kMost));
    }
}

#endif

template <typename From, typename To>
bool widen(const ElementRun<1>& run) {
    const auto* from = static_cast<const From*>(run.from[0]);
    auto* to = static_cast<To*>(run.to);
    for (std::int64_t i = 0; i < run.n; ++i) to[i] = static_cast<To>(from[i]);
    return true;
}

// Towards zero, saturated; NaN gives 0.
template <typename To>
bool cut(const ElementRun<1>& run) {
    const auto* from = static_cast<const float*>(run.from[0]);
    auto* to = static_cast<To*>(run.to);
    std::int64_t i = 0;
    for (; i + kCutBlock <= run.n; i += kCutBlock) cut_block(from + i, to + i);
    float rest[kCutBlock] = {};
    To results[kCutBlock];
    std::copy(from + i, from + run.n, rest);
    cut_block(rest, results);
    std::copy_n(results, run.n - i, to + i);
    return true;
}

ElementLoop<1> cut_loop(ElementType to) {
    switch (to) {
        case ElementType::i16: return cut<std::int16_t>;
        case ElementType::i8: return cut<std::int8_t>;
        case ElementType::u16: return cut<std::uint16_t>;
        case ElementType::u8: return cut<std::uint8_t>;
        default: return nullptr;
    }
}

ElementLoop<1> float_loop(ElementType from) {
    switch (from) {
        case ElementType::i32: return widen<std::int32_t, float>;
        case ElementType::i16: return widen<std::int16_t, float>;
        case ElementType::i8: return widen<std::int8_t, float>;
        case ElementType::u16: return widen<std::uint16_t, float>;
        case ElementType::u8: return widen<std::uint8_t, float>;
        default: return nullptr;
    }
}

}  // namespace

ElementLoop<1> byte_convert_loop(ElementType from, ElementType to) {
    if (from == ElementType::f32) return cut_loop(to);
    if (to == ElementType::f32) return float_loop(from);
    if (to != ElementType::i32) return nullptr;
    if (from == ElementType::i8) return widen<std::int8_t, std::int32_t>;
    return from == ElementType::u8 ? widen<std::uint8_t, std::int32_t> : nullptr;
}

namespace {

template <typename Word>
void look_up(const void* table, const std::uint8_t* codes, void* to, std::int64_t count) {
    const auto* values = static_cast<const Word*>(table);
    auto* results = static_cast<Word*>(to);
    for (std::int64_t i = 0; i < count; ++i) results[i] = values[codes[i]];
}

template <typename T>
double number_at(const void* elements, std::int64_t index) {
    if constexpr (std::is_same_v<T, bool>) {  // whose byte may hold more than 0 and 1
        return static_cast<const std::uint8_t*>(elements)[index] != 0 ? 1 : 0;
    } else if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<double>(static_cast<const T*>(elements)[index]);
    } else {
        return static_cast<double>(static_cast<float>(static_cast<const T*>(elements)[index]));
    }
}

}  // namespace

NarrowConvert::NarrowConvert(ElementType from, ElementType to, NarrowRounding rounding)
    : from_(from), to_(to), rounding_(rounding) {
    if (!is_narrow(from)) return;
    const NarrowNumbers& numbers = narrow_numbers(from);
    if (!is_narrow(to)) {
        if (!is_narrow_integer(from)) {
            convert_loop(ElementType::f32, to)({{numbers.data()}, {1}, becomes_.data(), 256});
            return;
        }
        std::array<std::int8_t, 256> integers{};
        std::transform(numbers.begin(), numbers.end(), integers.begin(),
                       [](float number) { return static_cast<std::int8_t>(number); });
        convert_loop(ElementType::i8, to)({{integers.data()}, {1}, becomes_.data(), 256});
        return;
    }
    for (std::size_t code = 0; code < numbers.size(); ++code) {
        becomes_[code] = std::byte{narrow_code(to, static_cast<double>(numbers[code]), rounding)};
    }
}

void NarrowConvert::run(const void* from, void* to, std::int64_t count) const {
    if (!is_narrow(from_)) return encode(from, static_cast<std::uint8_t*>(to), count);
    const auto* codes = static_cast<const std::uint8_t*>(from);
    switch (size_of(to_)) {
        case 1: return look_up<std::uint8_t>(becomes_.data(), codes, to, count);
        case 2: return look_up<std::uint16_t>(becomes_.data(), codes, to, count);
        case 4: return look_up<std::uint32_t>(becomes_.data(), codes, to, count);
        case 8: return look_up<std::uint64_t>(becomes_.data(), codes, to, count);
        default: internal_error("an element has another size");
    }
}

void NarrowConvert::encode(const void* from, std::uint8_t* to, std::int64_t count) const {
    visit_type(from_, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        for (std::int64_t i = 0; i < count; ++i) {
            if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
                const auto word = static_cast<std::uint64_t>(static_cast<const T*>(from)[i]);
                to[i] = narrow_code(to_, word, std::is_signed_v<T>, rounding_);
            } else {
                to[i] = narrow_code(to_, number_at<T>(from, i), rounding_);
            }
        }
    });
}

}  // namespace rondo::cpu
