#include "plugins/cpu/kernels/strategy.hpp"

#include <algorithm>
#include <cstdio>

#include "plugins/cpu/kernels/strategy_plan.hpp"

namespace rondo::cpu {
namespace {

// Measured on the development machines (DESIGN section 5), per core.
constexpr double kL2BytesPerMicrosecond = 120e3;
constexpr double kL3BytesPerMicrosecond = 28e3;
constexpr double kMemoryBytesPerMicrosecond = 10e3;
constexpr double kStepMicroseconds = 0.1;    // fixed cost of a step
constexpr double kTeamMicroseconds = 1.0;    // starting and joining a team that is awake
constexpr double kWakeMicroseconds = 60.0;   // more for one that sleeps
constexpr double kPhaseMicroseconds = 0.25;  // all threads of a hidden split meeting
constexpr double kWorthSplitting = 0.9;      // of the serial time, to leave one thread
constexpr double kWorthMeeting = 0.9;        // the same, for threads that meet at every step

// f64 has half the lanes.
double flops_per_microsecond(const CpuFeatures& features, Precision precision) {
    const double narrow = precision == Precision::f64 ? 0.5 : 1.0;
    switch (features.best()) {
        case Isa::avx512: return narrow * 150e3;
        case Isa::avx2: return narrow * 50e3;
        case Isa::plain: return narrow * 1e3;
    }
    return 1e3;
}

double bytes_per_microsecond(const CpuFeatures& features, double bytes) {
    if (bytes <= 0.75 * static_cast<double>(features.l2_bytes)) return kL2BytesPerMicrosecond;
    if (bytes <= static_cast<double>(features.l3_bytes)) return kL3BytesPerMicrosecond;
    return kMemoryBytesPerMicrosecond;
}

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The estimates of one layer, strategy by strategy.
class Estimator {
public:
    Estimator(const CellConfig& config, const CpuFeatures& features, const LayerShape& shape)
        : config_(config), features_(features), shape_(shape) {
        plan_.serial_microseconds = shape.directions * sequence(shape.batch, 1);
        plan_.microseconds = plan_.serial_microseconds;
    }

    void try_direction_split() {
        if (shape_.directions == 2) offer(Strategy::direction_split, 1, 2);
    }

    void try_batch_split() {
        const int wanted = static_cast<int>(divide_up(shape_.threads, shape_.directions));
        const int slices = static_cast<int>(std::min<std::int64_t>(wanted, shape_.batch));
        if (slices > 1) offer(Strategy::batch_split, slices, slices * shape_.directions);
    }

    void try_hidden_split() {
        const std::int64_t blocks = divide_up(
            config_.hidden_size, lanes_of(features_.best(), precision_of(config_.weights)));
        const int share = static_cast<int>(std::min<std::int64_t>(shape_.threads, blocks / 2));
        if (share < 2) return;
        const int phases = config_.kind == CellKind::gru ? 2 : 1;
        const double meeting = kPhaseMicroseconds * phases * static_cast<double>(shape_.time);
        const double time = shape_.directions * (sequence(shape_.batch, share) + meeting);
        consider(Strategy::hidden_split, 1, share, time + start_microseconds(), kWorthMeeting);
    }

    StrategyPlan plan() const { return plan_; }

    // The plan of one strategy, be it worth its while or not.
    std::optional<StrategyPlan> force(Strategy strategy) {
        forced_ = true;
        switch (strategy) {
            case Strategy::serial: break;
            case Strategy::direction_split: try_direction_split(); break;
            case Strategy::batch_split: try_batch_split(); break;
            case Strategy::hidden_split: try_hidden_split(); break;
        }
        if (plan_.strategy != strategy) return std::nullopt;
        return plan_;
    }

private:
    double start_microseconds() const {
        return shape_.awake ? kTeamMicroseconds : kTeamMicroseconds + kWakeMicroseconds;
    }

    double sequence(std::int64_t rows, int share) const {
        return static_cast<double>(shape_.time) *
               step_microseconds(config_, features_, rows, share);
    }

    // Independent tasks: `slices` of rows times the directions.
    void offer(Strategy strategy, int row_slices, int tasks) {
        const auto waves = static_cast<double>(divide_up(tasks, shape_.threads));
        const double time = waves * sequence(divide_up(shape_.batch, row_slices), 1);
        consider(strategy, row_slices, tasks, time + start_microseconds(), kWorthSplitting);
    }

    void consider(Strategy strategy, int row_slices, int slices, double time, double worth) {
        const bool pays = time < worth * plan_.serial_microseconds && time < plan_.microseconds;
        if (!pays && !forced_) return;
        plan_.strategy = strategy;
        plan_.row_slices = row_slices;
        plan_.slices = slices;
        plan_.microseconds = time;
    }

    const CellConfig& config_;
    const CpuFeatures& features_;
    const LayerShape& shape_;
    StrategyPlan plan_;
    bool forced_ = false;
};

}  // namespace

const char* name_of(Strategy strategy) {
    switch (strategy) {
        case Strategy::serial: return "serial";
        case Strategy::direction_split: return "direction_split";
        case Strategy::batch_split: return "batch_split";
        case Strategy::hidden_split: return "hidden_split";
    }
    return "?";
}

double step_microseconds(const CellConfig& config, const CpuFeatures& features, std::int64_t rows,
                         int share) {
    const double hidden = static_cast<double>(config.hidden_size) / share;
    const double units = gates_of(config.kind) * hidden;
    const auto k = static_cast<double>(config.hidden_size);
    const auto input = static_cast<double>(config.input_size);
    const double bytes = static_cast<double>(size_of(config.weights)) * units * k;
    // Widening 16-bit weights takes the time that reading them as f32 from the L2 would.
    const double widened = size_of(config.weights) == 2 ? sizeof(float) * units * k : 0.0;
    const double streaming =
        std::max(bytes / bytes_per_microsecond(features, bytes), widened / kL2BytesPerMicrosecond);
    const double flops = 2.0 * units * static_cast<double>(rows);
    const double peak = flops_per_microsecond(features, precision_of(config.weights));
    return kStepMicroseconds + flops * input / peak + std::max(streaming, flops * k / peak);
}

StrategyPlan plan_strategy(const CellConfig& config, const CpuFeatures& features,
                           const LayerShape& shape) {
    Estimator estimator(config, features, shape);
    if (shape.threads > 1 && shape.batch > 0) {
        estimator.try_direction_split();
        estimator.try_batch_split();
        estimator.try_hidden_split();
    }
    return estimator.plan();
}

std::optional<StrategyPlan> plan_as(Strategy strategy, const CellConfig& config,
                                    const CpuFeatures& features, const LayerShape& shape) {
    Estimator estimator(config, features, shape);
    if (strategy != Strategy::serial && (shape.threads <= 1 || shape.batch <= 0)) {
        return std::nullopt;
    }
    return estimator.force(strategy);
}

StrategyChoice choose_strategy(const CellConfig& config, const CpuFeatures& features,
                               const LayerShape& shape) {
    const StrategyPlan plan = plan_strategy(config, features, shape);
    StrategyChoice choice{plan.strategy, plan.slices, ""};
    char text[160];
    if (shape.threads <= 1) {
        std::snprintf(text, sizeof(text), "one thread");
    } else if (plan.strategy == Strategy::serial) {
        std::snprintf(text, sizeof(text), "about %.1f us on one thread: no split would pay",
                      plan.serial_microseconds);
    } else {
        std::snprintf(text, sizeof(text), "about %.1f us in %d slices instead of %.1f us serial",
                      plan.microseconds, plan.slices, plan.serial_microseconds);
    }
    choice.reason = text;
    return choice;
}

}  // namespace rondo::cpu
