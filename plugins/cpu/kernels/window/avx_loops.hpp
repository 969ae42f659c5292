// Loops over windows in the instructions of AVX-512, defined where the option RONDO_JIT is on: no
// other instruction set asks for them.
#pragma once

#include <cstdint>
#include <span>

namespace rondo::cpu::avx {

/// Lines that 16 positions may meet at one tap.
inline constexpr int kMostPieces = 4;

/// What 16 positions meet at one tap of a channel: for each piece, positions beside each other in a
/// line of the output, which lanes lie inside of the data, and where lane 0 would.
struct GatheredTap {
    std::int64_t place[kMostPieces];
    std::uint16_t lanes[kMostPieces];
};

/// [channel][tap][16 lanes], zeros outside of the data. Channels are `channel` numbers apart. The
/// CPU must have AVX-512.
void gather_taps(const float* data, std::int64_t channels, std::int64_t channel,
                 std::span<const GatheredTap> taps, int pieces, float* panel);

/// Every second of 2 * count - 1 numbers. Likewise.
void copy_every_second(const float* from, std::int64_t count, float* to);

}  // namespace rondo::cpu::avx
