// A fingerprint of bytes: equal bytes give equal digests, different bytes almost surely different
// ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rondo {

/// 128 bits. Finds damage and distinguishes files; it is no defence against forgery.
struct Digest {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    friend bool operator==(const Digest&, const Digest&) = default;

    /// 32 hexadecimal digits.
    std::string text() const;
};

/// Takes bytes piece by piece; the size of the pieces doesn't matter. The first half is XXH64 with
/// seed 0 as its specification describes it (github.com/Cyan4973/xxHash, doc/xxhash_spec.md). The
/// second half ends the same four lanes, 256 bits of state, in the other order: one walk over the
/// bytes makes 128 bits.
class Digester {
public:
    Digester();

    void add(const void* data, std::size_t size);
    /// Takes the length first, so that "ab" and "c" differ from "a" and "bc".
    void add_text(std::string_view text);
    void add_number(std::uint64_t number);

    /// The digest of all bytes so far.
    Digest digest() const;

private:
    static constexpr std::size_t kBlock = 32;
    using Lanes = std::array<std::uint64_t, 4>;

    void take_blocks(const std::byte* data, std::size_t count);
    std::uint64_t finish(const Lanes& lanes, std::uint64_t start) const;

    Lanes lanes_;
    std::array<std::byte, kBlock> rest_{};
    std::size_t rest_size_ = 0;
    std::uint64_t total_ = 0;
};

/// The digest of these bytes.
Digest digest_of(const void* data, std::size_t size);

}  // namespace rondo
