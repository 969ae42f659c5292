// Copies blocks whose size is known only at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rondo::cpu {

/// memcpy() of more than kPiece bytes in pieces of so many, the last of which may write some again.
template <std::int64_t kPiece>
inline void copy_pieces(char* to, const char* from, std::int64_t bytes) {
    for (std::int64_t i = 0; i + kPiece < bytes; i += kPiece) std::memcpy(to + i, from + i, kPiece);
    std::memcpy(to + bytes - kPiece, from + bytes - kPiece, kPiece);
}

/// As memcpy(), faster for the size of a few numbers: moves, not a call.
inline void copy_bytes(char* to, const char* from, std::int64_t bytes) {
    constexpr std::int64_t kMany = 128;
    switch (bytes) {
        case 1: std::memcpy(to, from, 1); break;
        case 2: std::memcpy(to, from, 2); break;
        case 4: std::memcpy(to, from, 4); break;
        case 8: std::memcpy(to, from, 8); break;
        case 16: std::memcpy(to, from, 16); break;
        default:
            if (bytes > 16 && bytes <= kMany) return copy_pieces<16>(to, from, bytes);
            if (bytes > 8 && bytes < 16) return copy_pieces<8>(to, from, bytes);
            std::memcpy(to, from, static_cast<std::size_t>(bytes));
    }
}

// Fills memory with one element.

/// Writes the element, which has `size` bytes (1, 2, 4 or 8), `count` times. Nothing need be
/// aligned.
void fill_elements(void* to, const void* element, std::int64_t size, std::int64_t count);

}  // namespace rondo::cpu
