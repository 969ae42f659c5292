#include "plugins/cpu/kernels/elementwise/byte_convert.hpp"

#include <algorithm>
#include <cstdint>

#include "plugins/cpu/kernels/elementwise/cut_block.hpp"

namespace rondo::cpu {
namespace {

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

}  // namespace rondo::cpu
