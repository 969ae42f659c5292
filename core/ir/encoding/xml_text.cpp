#include "core/ir/encoding/xml_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "rondo/error.hpp"

namespace rondo::ir {
namespace {

using namespace std::string_view_literals;

// What a text of the encoding starts with.
struct Start {
    std::string_view bytes;
    TextEncoding encoding;
};

// A mark of UTF-16 may be the start of one of UTF-32, which comes first therefore.
constexpr std::array kStarts = {
    Start{"\x00\x00\xFE\xFF"sv, {"UTF-32", 4, true, 4}},
    Start{"\xFF\xFE\x00\x00"sv, {"UTF-32", 4, false, 4}},
    Start{"\x00\x00\x00<"sv, {"UTF-32", 4, true, 0}},
    Start{"<\x00\x00\x00"sv, {"UTF-32", 4, false, 0}},
    Start{"\xFE\xFF"sv, {"UTF-16", 2, true, 2}},
    Start{"\xFF\xFE"sv, {"UTF-16", 2, false, 2}},
    Start{"\x00<"sv, {"UTF-16", 2, true, 0}},
    Start{"<\x00"sv, {"UTF-16", 2, false, 0}},
    Start{"\xEF\xBB\xBF"sv, {"UTF-8", 1, false, 3}},
};

constexpr std::uint32_t kPairs = 0x10000;      // the first character that needs a pair
constexpr std::uint32_t kLast = 0x10FFFF;      // Unicode ends here
constexpr std::uint32_t kFirstHalf = 0xD800;   // to 0xDBFF
constexpr std::uint32_t kSecondHalf = 0xDC00;  // to 0xDFFF
constexpr std::uint32_t kBehindHalves = 0xE000;

bool is_half(std::uint32_t value) { return value >= kFirstHalf && value < kBehindHalves; }
bool is_second_half(std::uint32_t value) { return is_half(value) && value >= kSecondHalf; }

std::uint32_t unit_at(std::string_view bytes, std::size_t at, const TextEncoding& encoding) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < encoding.unit; ++i) {
        const std::size_t byte = encoding.big_endian ? i : encoding.unit - 1 - i;
        value = value << 8 | static_cast<unsigned char>(bytes[at + byte]);
    }
    return value;
}

std::string hexadecimal(std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof(text), "0x%04X", static_cast<unsigned>(value));
    return text;
}

void append(std::uint32_t character, std::string& text) {
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    const auto put_rest = [&](int shift) { put(0x80 | (character >> shift & 0x3F)); };
    if (character < 0x80) {
        put(character);
    } else if (character < 0x800) {
        put(0xC0 | character >> 6);
        put_rest(0);
    } else if (character < kPairs) {
        put(0xE0 | character >> 12);
        put_rest(6);
        put_rest(0);
    } else {
        put(0xF0 | character >> 18);
        put_rest(12);
        put_rest(6);
        put_rest(0);
    }
}

// Goes through the text after the mark.
class Decoder {
public:
    Decoder(std::string_view bytes, const TextEncoding& encoding)
        : bytes_(bytes), encoding_(encoding), at_(encoding.mark) {
        text_.reserve(bytes.size() / encoding.unit);
    }

    std::string decode() {
        while (at_ < bytes_.size()) append(character(), text_);
        return std::move(text_);
    }

private:
    std::uint32_t unit() {
        if (bytes_.size() - at_ < encoding_.unit) {
            fail("the text ends within a character; the file has " + std::to_string(bytes_.size()) +
                 " bytes, " + std::to_string(encoding_.unit) + " a unit");
        }
        const std::uint32_t value = unit_at(bytes_, at_, encoding_);
        at_ += encoding_.unit;
        return value;
    }

    std::uint32_t character() {
        const std::size_t start = at_;
        const std::uint32_t first = unit();
        if (!is_half(first) && first <= kLast) return first;
        const bool may_be_pair = encoding_.unit == 2 && !is_second_half(first);
        if (may_be_pair && at_ < bytes_.size()) {
            const std::uint32_t second = unit();
            if (is_second_half(second)) {
                return kPairs + ((first - kFirstHalf) << 10) + (second - kSecondHalf);
            }
        }
        at_ = start;
        fail(hexadecimal(first) +
             (is_half(first) ? " is half of a pair without its other half" : " is no character"));
    }

    [[noreturn]] void fail(const std::string& reason) const {
        const auto line = 1 + std::count(text_.begin(), text_.end(), '\n');
        throw ModelError("line " + std::to_string(line) + ", byte " + std::to_string(at_) +
                         ": the " + encoding_.name + " is damaged or cut off: " + reason);
    }

    std::string_view bytes_;
    TextEncoding encoding_;
    std::size_t at_;
    std::string text_;
};

}  // namespace

TextEncoding encoding_of(std::string_view bytes) {
    for (const Start& start : kStarts) {
        if (bytes.starts_with(start.bytes)) return start.encoding;
    }
    return {};
}

std::string text_start(std::string_view bytes, std::size_t count) {
    const TextEncoding encoding = encoding_of(bytes);
    bytes.remove_prefix(encoding.mark);
    if (encoding.unit == 1) return std::string(bytes.substr(0, count));
    std::string text;
    for (std::size_t i = 0; i < std::min(count, bytes.size() / encoding.unit); ++i) {
        const std::uint32_t value = unit_at(bytes, i * encoding.unit, encoding);
        text += value < 0x80 ? static_cast<char>(value) : '?';
    }
    return text;
}

std::string to_utf8(std::string_view bytes, const TextEncoding& encoding) {
    return Decoder(bytes, encoding).decode();
}

}  // namespace rondo::ir
