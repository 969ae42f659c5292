#include "plugins/cpu/kernels/machine/machine_costs.hpp"

namespace rondo::cpu {
namespace {

// A Xeon of the fourth generation: 2 MiB of L2, two 512-bit multiply-adds a cycle.
constexpr MachineCosts kIntel = {
    .flops_per_microsecond = 165e3,
    .l2_bytes_per_microsecond = 146e3,
    .l3_bytes_per_microsecond = 34.5e3,
    .memory_bytes_per_microsecond = 11e3,
    .overlap = 0.373,
    .activation_flops = 89.6,
    .step_microseconds = 0.00954,
    .team_microseconds = 1.06,
    .meeting_microseconds = 0.36,
    .exchange_bytes_per_microsecond = 2.19e3,
    .avx2_share = 0.5,
};

// An EPYC of the fourth generation: 1 MiB of L2, 512-bit multiply-adds in two halves.
constexpr MachineCosts kAmd = {
    .flops_per_microsecond = 108e3,
    .l2_bytes_per_microsecond = 121e3,
    .l3_bytes_per_microsecond = 85.4e3,
    .memory_bytes_per_microsecond = 9.2e3,
    .overlap = 0.225,
    .activation_flops = 85.1,
    .step_microseconds = 0.0276,
    .team_microseconds = 0.576,
    .meeting_microseconds = 0.171,
    .exchange_bytes_per_microsecond = 2.94e3,
    .avx2_share = 0.8,
};

}  // namespace

const MachineCosts& machine_costs(CpuVendor vendor) {
    return vendor == CpuVendor::amd ? kAmd : kIntel;
}

}  // namespace rondo::cpu
