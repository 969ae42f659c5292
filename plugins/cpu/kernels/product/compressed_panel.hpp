// What the loops of products read of a right-hand side that stays compressed.
#pragma once

#include <cstdint>

namespace rondo::cpu {

/// Some numbers of K of a panel: [k][lanes].
struct CompressedPanel {
    const std::uint8_t* bytes;
    const float* zeros;   ///< [lanes]
    const float* scales;  ///< the same
    std::int64_t k;
    int lanes;  ///< 16 with AVX-512, else 8
    bool rounds_to_f16;
};

/// Panels that a row is multiplied with at once.
inline constexpr int kCompressedPanels = 4;

}  // namespace rondo::cpu
