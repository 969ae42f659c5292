// What the work of a recurrent layer costs on one vendor's processors: constants of CostModel.
#pragma once

#include <cstdint>
#include <span>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// Per core, in microseconds and their inverse, with AVX-512 and f32. Fitted by
/// tools/fit_strategy.py to what rondo_strategies measures; docs/recurrent_kernels.md says how.
struct MachineCosts {
    double flops_per_microsecond;
    double l2_bytes_per_microsecond;
    double l3_bytes_per_microsecond;
    double memory_bytes_per_microsecond;
    double overlap;               ///< part of the shorter of reading and computing: not hidden
    double activation_flops;      ///< activations of a gate of a unit of a row
    double step_microseconds;     ///< fixed cost of a step
    double team_microseconds;     ///< starting and joining a thread that is awake
    double meeting_microseconds;  ///< a meeting of two threads of a hidden split
    double exchange_bytes_per_microsecond;  ///< H from core to core
    double avx2_share;                      ///< part of flops_per_microsecond with AVX2; not fitted
};

/// The costs of the vendor's processors that were measured; Intel's for other vendors.
const MachineCosts& machine_costs(CpuVendor vendor);

/// A member of MachineCosts by its name.
struct CostField {
    const char* name;
    double MachineCosts::*value;
    bool fitted;
};

/// All members, in order.
std::span<const CostField> cost_fields();

// How much of the caches the projected inputs of a tile of steps may take.

/// Whether the L3 has no room for W and R of one direction together: reading W evicts R, which
/// every step reads.
bool outgrows_l3(double weight_bytes, const CpuFeatures& features);

/// Room for the projected gates of a tile of steps: a part of the L2, or of the L3 where the
/// weights outgrow it, so that W is read less often.
std::int64_t tile_bytes(const CpuFeatures& features, bool outgrows_l3);

}  // namespace rondo::cpu
