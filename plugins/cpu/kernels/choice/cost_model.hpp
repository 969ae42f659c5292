// What the work of a recurrent layer costs on a processor, estimated: the base of every choice.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/cell/cell_config.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/machine/machine_costs.hpp"

namespace rondo::cpu {

/// Steps of one direction on one thread.
struct StepLoad {
    std::int64_t rows = 1;
    std::int64_t time = 1;   ///< T: the inputs of several steps are projected at once
    std::int64_t units = 0;  ///< hidden units that this thread computes
    int turns = 1;           ///< directions that it runs, one after the other
};

/// Times are in microseconds. docs/recurrent_kernels.md has the formulas. Keeps references to its
/// arguments.
class CostModel {
public:
    /// With the costs of the processor's vendor.
    explicit CostModel(const CpuFeatures& features);
    /// With other costs: for fitting them.
    CostModel(const CpuFeatures& features, const MachineCosts& costs)
        : features_(features), costs_(costs) {}

    /// One step of such a load.
    double step(const CellConfig& config, const StepLoad& load) const;
    /// All of its steps.
    double sequence(const CellConfig& config, const StepLoad& load) const {
        return static_cast<double>(load.time) * step(config, load);
    }
    /// Starting and joining so many threads.
    double team(int threads, bool awake) const;
    /// What so many threads, which split the hidden units of `rows` rows, spend at each meeting.
    double meeting(const CellConfig& config, std::int64_t rows, int threads) const;

    const CpuFeatures& features() const { return features_; }

private:
    double flops_per_microsecond(Precision precision) const;
    double product_rate(const WeightFormat& weights, double rows) const;
    double microseconds_per_byte(double working_set) const;
    double product(const WeightFormat& weights, double elements, double flops,
                   double working_set) const;

    const CpuFeatures& features_;
    const MachineCosts& costs_;
};

}  // namespace rondo::cpu
