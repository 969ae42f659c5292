#include "plugins/cpu/kernels/quantization/quantize_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace rondo::cpu {

ByteRange byte_range(Isa isa, const float* x, std::int64_t count) {
    return isa == Isa::plain ? range_of(x, count) : avx::byte_range(x, count);
}

ByteScale byte_scale(const ByteRange& range) {
    const float scale = range.low == range.high ? 1.0F : (range.high - range.low) / 255.0F;
    const float zero_point = std::nearbyint(0.0F - range.low / scale);
    return {scale, static_cast<std::uint8_t>(zero_point > 0 ? std::min(zero_point, 255.0F) : 0.0F)};
}

void quantize_bytes(Isa isa, const float* x, std::int64_t count, const ByteScale& by,
                    std::uint8_t* to) {
    isa == Isa::plain ? quantize(x, count, by, to) : avx::quantize_bytes(x, count, by, to);
}

}  // namespace rondo::cpu
