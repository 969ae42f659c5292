// Copies and fills elements that lie side by side, without a call where they are few.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace rondo::cpu {

template <typename T>
inline void copy_line(const T* from, std::int64_t count, T* to) {
    constexpr std::int64_t kBytes = 16, kSome = kBytes / std::int64_t{sizeof(T)};
    constexpr std::int64_t kMany = 32 * kSome;
    if (count >= kMany) {
        std::copy_n(from, count, to);
        return;
    }
    if (count < kSome) {
        for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
        return;
    }
    for (std::int64_t i = 0; i + kSome < count; i += kSome) std::memcpy(to + i, from + i, kBytes);
    std::memcpy(to + count - kSome, from + count - kSome, kBytes);  // may write some again
}

template <typename T>
inline void fill_line(T value, std::int64_t count, T* to) {
    constexpr std::int64_t kMany = 4;
    if (count >= kMany) {
        std::fill_n(to, count, value);
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) to[i] = value;
}

}  // namespace rondo::cpu
