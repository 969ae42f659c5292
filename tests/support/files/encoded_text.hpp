// A UTF-8 text as editors write it in other encodings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::test {

/// UTF-16 where `unit` is 2, UTF-32 where it is 4. The text must be UTF-8; "\uFEFF" in front of it
/// is a byte order mark.
struct WideEncoding {
    std::size_t unit = 2;
    bool big_endian = false;
};

inline std::string encoded(std::string_view text, const WideEncoding& encoding) {
    std::string bytes;
    const auto put = [&](std::uint32_t value) {
        for (std::size_t i = 0; i < encoding.unit; ++i) {
            const std::size_t byte = encoding.big_endian ? encoding.unit - 1 - i : i;
            bytes += static_cast<char>(value >> 8 * byte & 0xFF);
        }
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto first = static_cast<unsigned char>(text[at++]);
        const int rest = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        std::uint32_t character = rest == 0 ? first : first & (0x3F >> rest);
        for (int i = 0; i < rest; ++i) {
            character = character << 6 | (static_cast<unsigned char>(text[at++]) & 0x3F);
        }
        if (encoding.unit == 4 || character < 0x10000) {
            put(character);
        } else {
            put(0xD800 + ((character - 0x10000) >> 10));
            put(0xDC00 + (character & 0x3FF));
        }
    }
    return bytes;
}

inline constexpr const char* kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace rondo::test
