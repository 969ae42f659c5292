// Rounds f32 to 8 bits.
#include "plugins/cpu/kernels/quantization/quantize_bytes.hpp"

namespace rondo::cpu::avx {

[[gnu::target("avx2")]] ByteRange byte_range(const float* x, std::int64_t count) {
    return range_of(x, count);
}

[[gnu::target("avx2")]] void quantize_bytes(const float* x, std::int64_t count, const ByteScale& by,
                                            std::uint8_t* to) {
    quantize(x, count, by, to);
}

}  // namespace rondo::cpu::avx
