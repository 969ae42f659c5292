#include "plugins/cpu/kernels/machine/machine_costs.hpp"

#include <algorithm>

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

using Costs = MachineCosts;

constexpr CostField kFields[] = {
    {"flops_per_microsecond", &Costs::flops_per_microsecond, true},
    {"l2_bytes_per_microsecond", &Costs::l2_bytes_per_microsecond, true},
    {"l3_bytes_per_microsecond", &Costs::l3_bytes_per_microsecond, true},
    {"memory_bytes_per_microsecond", &Costs::memory_bytes_per_microsecond, true},
    {"overlap", &Costs::overlap, true},
    {"activation_flops", &Costs::activation_flops, true},
    {"step_microseconds", &Costs::step_microseconds, true},
    {"team_microseconds", &Costs::team_microseconds, true},
    {"meeting_microseconds", &Costs::meeting_microseconds, true},
    {"exchange_bytes_per_microsecond", &Costs::exchange_bytes_per_microsecond, true},
    {"avx2_share", &Costs::avx2_share, false},
};
static_assert(sizeof(MachineCosts) == std::size(kFields) * sizeof(double), "a field is missing");

}  // namespace

std::span<const CostField> cost_fields() { return kFields; }

const MachineCosts& machine_costs(CpuVendor vendor) {
    return vendor == CpuVendor::amd ? kAmd : kIntel;
}

bool outgrows_l3(double weight_bytes, const CpuFeatures& features) {
    return features.l3_bytes > 0 && weight_bytes > static_cast<double>(features.l3_bytes) / 2;
}

std::int64_t tile_bytes(const CpuFeatures& features, bool outgrows_l3) {
    return std::max(features.l2_bytes, outgrows_l3 ? features.l3_bytes : 0) / 4;
}

}  // namespace rondo::cpu
