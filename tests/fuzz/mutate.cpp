#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace rondo::test {

std::size_t below(Rng& rng, std::size_t count) {
    return count == 0 ? 0
                      : static_cast<std::size_t>(
                            uniform_int(rng, 0, static_cast<std::int64_t>(count) - 1));
}

namespace {

// Large files are mostly weights; their structure is at both ends.
std::size_t position(const std::string& bytes, Rng& rng) {
    constexpr std::size_t kEnd = 2048;
    if (bytes.size() <= 2 * kEnd) return below(rng, bytes.size());
    switch (below(rng, 4)) {
        case 0: return below(rng, bytes.size());
        case 1: return bytes.size() - 1 - below(rng, kEnd);
        default: return below(rng, kEnd);
    }
}

std::size_t part_length(Rng& rng) { return 1 + below(rng, below(rng, 3) != 0 ? 8 : 256); }

void flip_bit(std::string& bytes, Rng& rng) {
    char& byte = bytes[position(bytes, rng)];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1u << below(rng, 8)));
}

void set_extreme_byte(std::string& bytes, Rng& rng) {
    constexpr std::array<unsigned char, 8> kBytes = {0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, '"'};
    bytes[position(bytes, rng)] = static_cast<char>(kBytes[below(rng, kBytes.size())]);
}

void cut_out(std::string& bytes, Rng& rng) { bytes.erase(position(bytes, rng), part_length(rng)); }

void double_part(std::string& bytes, Rng& rng) {
    const std::size_t from = position(bytes, rng);
    bytes.insert(from, bytes.substr(from, part_length(rng)));
}

void copy_over(std::string& bytes, Rng& rng) {
    const std::string part = bytes.substr(position(bytes, rng), part_length(rng));
    const std::size_t to = position(bytes, rng);
    bytes.replace(to, std::min(part.size(), bytes.size() - to), part);
}

void change_number(std::string& bytes, Rng& rng) {
    constexpr std::array kNumbers = {"0",  "-1",  "1",          "2",    "7",
                                     "-0", "255", "4294967296", "1e40", "9223372036854775807"};
    constexpr const char* kDigits = "0123456789";
    const std::size_t from = bytes.find_first_of(kDigits, position(bytes, rng));
    if (from == std::string::npos) return;
    const std::size_t to = std::min(bytes.find_first_not_of(kDigits, from), bytes.size());
    bytes.replace(from, to - from, kNumbers[below(rng, kNumbers.size())]);
}

void cut_end_off(std::string& bytes, Rng& rng) { bytes.resize(position(bytes, rng)); }

}  // namespace

std::string mutated(std::string bytes, Rng& rng) {
    // Changes that keep a file well-formed are more frequent, so that readers get further: numbers
    // in text, and changes in place, which keep a binary file's lengths.
    constexpr std::array kChanges = {flip_bit,      flip_bit,      flip_bit,  set_extreme_byte,
                                     change_number, change_number, copy_over, cut_out,
                                     double_part,   cut_end_off};
    const std::size_t count = 1 + below(rng, 3);
    for (std::size_t i = 0; i < count && !bytes.empty(); ++i) {
        kChanges[below(rng, kChanges.size())](bytes, rng);
    }
    return bytes;
}

}  // namespace rondo::test
