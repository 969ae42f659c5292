// Rounds f32 to 8 bits by a scale and a zero point.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

struct ByteRange {
    float low = 0;
    float high = 0;
};

/// The least and the greatest of the elements and 0, without NaN; the same for every instruction
/// set.
ByteRange byte_range(Isa isa, const float* x, std::int64_t count);

struct ByteScale {
    float scale = 1;
    std::uint8_t zero_point = 0;
};

/// Those that spread the range, which holds 0, over 0 to 255.
ByteScale byte_scale(const ByteRange& range);

/// to[i] = round(x[i] / scale) + zero_point, within 0 to 255; halves go to the even number, NaN
/// gives 0.
void quantize_bytes(Isa isa, const float* x, std::int64_t count, const ByteScale& by,
                    std::uint8_t* to);

}  // namespace rondo::cpu
