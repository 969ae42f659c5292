// How much of the caches the projected inputs of a tile of steps may take.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// Whether the L3 has no room for W and R of one direction together: reading W evicts R, which
/// every step reads.
bool outgrows_l3(double weight_bytes, const CpuFeatures& features);

/// Room for the projected gates of a tile of steps: a part of the L2, or of the L3 where the
/// weights outgrow it, so that W is read less often.
std::int64_t tile_bytes(const CpuFeatures& features, bool outgrows_l3);

}  // namespace rondo::cpu
