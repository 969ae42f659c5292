// An XML file's text in UTF-8: editors also write UTF-16, with and without a byte order mark.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rondo::ir {

/// How characters of a text are stored.
struct TextEncoding {
    const char* name = "UTF-8";  ///< or another one with units of a byte, which the XML names
    std::size_t unit = 1;        ///< bytes
    bool big_endian = false;
    std::size_t mark = 0;  ///< bytes of the mark in front of the text
};

/// By the mark, or by how the first "<" is stored.
TextEncoding encoding_of(std::string_view bytes);

/// The first characters of the text, `count` at most; '?' for those that aren't ASCII, except if
/// a unit is a byte.
std::string text_start(std::string_view bytes, std::size_t count);

/// The text, without its mark, of bytes whose units are larger than a byte. Throws ModelError with
/// line and byte if they aren't text, such as a half of a pair alone.
std::string to_utf8(std::string_view bytes, const TextEncoding& encoding);

}  // namespace rondo::ir
