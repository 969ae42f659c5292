// What the work of a recurrent layer costs on one vendor's processors: constants of CostModel.
#pragma once

#include <span>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// Per core, in microseconds and their inverse, with AVX-512 and f32. Fitted by
/// tools/fit_strategy.py to what rondo_strategies measures; docs/cost_model.md says how.
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

}  // namespace rondo::cpu
