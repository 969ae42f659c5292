// Rounds f32 to 8 bits by a scale and a zero point.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/quantization/byte_scale.hpp"

namespace rondo::cpu {

/// The least and the greatest of the elements and 0, without NaN; the same for every instruction
/// set.
ByteRange byte_range(Isa isa, const float* x, std::int64_t count);

/// Those that spread the range, which holds 0, over 0 to 255.
ByteScale byte_scale(const ByteRange& range);

/// to[i] = round(x[i] / scale) + zero_point, within 0 to 255; halves go to the even number, NaN
/// gives 0.
void quantize_bytes(Isa isa, const float* x, std::int64_t count, const ByteScale& by,
                    std::uint8_t* to);

}  // namespace rondo::cpu
