#include "plugins/cpu/kernels/machine/cache_room.hpp"

#include <algorithm>

namespace rondo::cpu {

bool outgrows_l3(double weight_bytes, const CpuFeatures& features) {
    return features.l3_bytes > 0 && weight_bytes > static_cast<double>(features.l3_bytes) / 2;
}

std::int64_t tile_bytes(const CpuFeatures& features, bool outgrows_l3) {
    return std::max(features.l2_bytes, outgrows_l3 ? features.l3_bytes : 0) / 4;
}

}  // namespace rondo::cpu
