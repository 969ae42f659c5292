// What the work of a recurrent layer costs on this make of processor: the choice of a strategy.
#pragma once

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// Per core, in microseconds and their inverse, with AVX-512 and f32. Fitted by
/// tools/fit_strategy.py to what rondo_strategies measures; docs/performance.md tells how.
struct MachineCosts {
    double flops_per_microsecond;
    double l2_bytes_per_microsecond;
    double l3_bytes_per_microsecond;
    double memory_bytes_per_microsecond;
    double overlap;                         ///< of the shorter of reading and computing: not hidden
    double activation_flops;                ///< a gate of a unit of a row: what activations cost
    double step_microseconds;               ///< fixed cost of a step
    double team_microseconds;               ///< a team that is awake: starting, joining
    double meeting_microseconds;            ///< two threads of a hidden split
    double exchange_bytes_per_microsecond;  ///< of H, from core to core
    double avx2_share;                      ///< of flops_per_microsecond with AVX2; not fitted
};

/// Of the vendor's processors that were measured; of Intel's for others.
const MachineCosts& machine_costs(CpuVendor vendor);

}  // namespace rondo::cpu
