#include "core/support/digest.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace rondo {
namespace {

// The specification's primes.
constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5;

template <typename Word>
Word word_at(const std::byte* data) {
    Word word;
    std::memcpy(&word, data, sizeof(word));
    return word;
}

std::uint64_t mixed(std::uint64_t lane, std::uint64_t word) {
    return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

std::uint64_t merged(std::uint64_t sum, std::uint64_t lane) {
    return (sum ^ mixed(0, lane)) * kPrime1 + kPrime4;
}

std::uint64_t with_tail(std::uint64_t sum, const std::byte* data, std::size_t size) {
    for (; size >= 8; data += 8, size -= 8) {
        sum = std::rotl(sum ^ mixed(0, word_at<std::uint64_t>(data)), 27) * kPrime1 + kPrime4;
    }
    if (size >= 4) {
        sum = std::rotl(sum ^ word_at<std::uint32_t>(data) * kPrime1, 23) * kPrime2 + kPrime3;
        data += 4;
        size -= 4;
    }
    for (; size > 0; ++data, --size) {
        sum = std::rotl(sum ^ static_cast<std::uint64_t>(*data) * kPrime5, 11) * kPrime1;
    }
    return sum;
}

std::uint64_t avalanche(std::uint64_t sum) {
    sum = (sum ^ (sum >> 33)) * kPrime2;
    sum = (sum ^ (sum >> 29)) * kPrime3;
    return sum ^ (sum >> 32);
}

}  // namespace

std::string Digest::text() const {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint64_t half : {first, second}) {
        for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[half >> shift & 15];
    }
    return text;
}

Digester::Digester() : lanes_{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1} {}

void Digester::take_blocks(const std::byte* data, std::size_t count) {
    Lanes lanes = lanes_;
    for (; count > 0; --count, data += kBlock) {
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
            lanes[lane] = mixed(lanes[lane], word_at<std::uint64_t>(data + lane * 8));
        }
    }
    lanes_ = lanes;
}

void Digester::add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(data);
    total_ += size;
    if (rest_size_ > 0) {
        const std::size_t taken = std::min(size, kBlock - rest_size_);
        std::copy_n(bytes, taken, rest_.data() + rest_size_);
        rest_size_ += taken;
        bytes += taken;
        size -= taken;
        if (rest_size_ < kBlock) return;
        take_blocks(rest_.data(), 1);
        rest_size_ = 0;
    }
    take_blocks(bytes, size / kBlock);
    rest_size_ = size % kBlock;
    std::copy_n(bytes + (size - rest_size_), rest_size_, rest_.data());
}

void Digester::add_text(std::string_view text) {
    add_number(text.size());
    add(text.data(), text.size());
}

void Digester::add_number(std::uint64_t number) { add(&number, sizeof(number)); }

// `start` replaces the lanes if the bytes don't fill a block.
std::uint64_t Digester::finish(const Lanes& lanes, std::uint64_t start) const {
    std::uint64_t sum = start;
    if (total_ >= kBlock) {
        sum = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
              std::rotl(lanes[3], 18);
        for (const std::uint64_t lane : lanes) sum = merged(sum, lane);
    }
    return avalanche(with_tail(sum + total_, rest_.data(), rest_size_));
}

Digest Digester::digest() const {
    const Lanes reversed = {lanes_[3], lanes_[2], lanes_[1], lanes_[0]};
    return {finish(lanes_, kPrime5), finish(reversed, kPrime3)};
}

Digest digest_of(const void* data, std::size_t size) {
    Digester digester;
    digester.add(data, size);
    return digester.digest();
}

}  // namespace rondo
