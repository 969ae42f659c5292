#include "plugins/cpu/kernels/choice/strategy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "plugins/cpu/kernels/choice/strategy_plan.hpp"
#include "plugins/cpu/kernels/machine/machine_costs.hpp"

namespace rondo::cpu {
namespace {

// Not fitted, unlike those of machine_costs.cpp. Much more than a cache holds costs more than its
// bytes, since addresses are translated anew.
constexpr double kFarCaches = 4;
constexpr double kFarCost = 0.15;
// What a team that sleeps costs besides, which depends on how deep its cores sleep; and what a
// split has to promise, for it can't count on having every core.
constexpr double kWakeMicroseconds = 25.0;
constexpr double kWorthSplitting = 0.93;  // of the serial time, to leave one thread
constexpr double kWorthMeeting = 0.9;     // the same, for threads that meet at every step

// f64 has half the lanes.
double flops_per_microsecond(const CpuFeatures& features, Precision precision) {
    const double narrow = precision == Precision::f64 ? 0.5 : 1.0;
    const MachineCosts& costs = machine_costs(features.vendor);
    switch (features.best()) {
        case Isa::avx512: return narrow * costs.flops_per_microsecond;
        case Isa::avx2: return narrow * costs.flops_per_microsecond * costs.avx2_share;
        case Isa::plain: return narrow * 1e3;
    }
    return 1e3;
}

// The part of `bytes`, read over and over, that a cache leaves to the next level: nothing where
// they fill half of it (the rest is for other data), all where they are twice its size.
double spilled(double bytes, double cache) {
    if (cache <= 0) return 1;
    return std::clamp((bytes / cache - 0.5) / 1.5, 0.0, 1.0);
}

double microseconds_per_byte(const CpuFeatures& features, double working_set) {
    const MachineCosts& costs = machine_costs(features.vendor);
    const double from_l3 = spilled(working_set, static_cast<double>(features.l2_bytes));
    const double from_memory = spilled(working_set, static_cast<double>(features.l3_bytes));
    const double far = spilled(working_set, kFarCaches * static_cast<double>(features.l2_bytes));
    const double beyond =
        (1 - from_memory) * (1 + kFarCost * far) / costs.l3_bytes_per_microsecond +
        from_memory / costs.memory_bytes_per_microsecond;
    return (1 - from_l3) / costs.l2_bytes_per_microsecond + from_l3 * beyond;
}

// Reading weights and multiplying by them go on at the same time, but for a part.
double overlapped(const MachineCosts& costs, double reading, double computing) {
    return std::max(reading, computing) + costs.overlap * std::min(reading, computing);
}

// A matrix of weights that is read once for `flops`, as part of `working_set` bytes.
double product_microseconds(ElementType weights, const CpuFeatures& features, double elements,
                            double flops, double working_set) {
    const MachineCosts& costs = machine_costs(features.vendor);
    const double bytes = static_cast<double>(size_of(weights)) * elements;
    // Widening 16-bit weights takes the time that reading them as f32 from the L2 would.
    const double widened = size_of(weights) == 2 ? sizeof(float) * elements : 0.0;
    const double reading = std::max(bytes * microseconds_per_byte(features, working_set),
                                    widened / costs.l2_bytes_per_microsecond);
    const double computing = flops / flops_per_microsecond(features, precision_of(weights));
    return overlapped(costs, reading, computing);
}

// The estimates of one layer, strategy by strategy.
class Estimator {
public:
    Estimator(const CellConfig& config, const CpuFeatures& features, const LayerShape& shape)
        : config_(config), features_(features), shape_(shape) {
        plan_.serial_microseconds =
            shape.directions *
            sequence({shape.batch, shape.time, config.hidden_size, shape.directions});
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
        const Precision precision = precision_of(config_.weights);
        const std::int64_t lanes = lanes_of(features_.best(), precision);
        const std::int64_t blocks = divide_up(config_.hidden_size, lanes);
        const int share = static_cast<int>(std::min<std::int64_t>(shape_.threads, blocks / 2));
        if (share < 2) return;
        // What one thread computes of H, all others read.
        const double exchanged = static_cast<double>(bytes_of(precision)) * (share - 1) / share *
                                 static_cast<double>(shape_.batch * config_.hidden_size);
        const MachineCosts& costs = machine_costs(features_.vendor);
        const double meeting = costs.meeting_microseconds * (share - 1) +
                               exchanged / costs.exchange_bytes_per_microsecond;
        const int phases = config_.kind == CellKind::gru ? 2 : 1;
        const std::int64_t units = std::min(config_.hidden_size, divide_up(blocks, share) * lanes);
        const double time = sequence({shape_.batch, shape_.time, units, shape_.directions}) +
                            meeting * phases * static_cast<double>(shape_.time);
        consider(Strategy::hidden_split, 1, share, shape_.directions * time + team(share),
                 kWorthMeeting);
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
    double sequence(const StepLoad& load) const {
        return static_cast<double>(load.time) * step_microseconds(config_, features_, load);
    }

    double team(int threads) const {
        return team_microseconds(features_, std::min(threads, shape_.threads), shape_.awake);
    }

    // Independent tasks: `slices` of rows times the directions.
    void offer(Strategy strategy, int row_slices, int tasks) {
        const auto waves = static_cast<double>(divide_up(tasks, shape_.threads));
        const std::int64_t rows = divide_up(shape_.batch, row_slices);
        const double time = waves * sequence({rows, shape_.time, config_.hidden_size, 1});
        consider(strategy, row_slices, tasks, time + team(tasks), kWorthSplitting);
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

bool outgrows_l3(double weight_bytes, const CpuFeatures& features) {
    return features.l3_bytes > 0 && weight_bytes > static_cast<double>(features.l3_bytes) / 2;
}

std::int64_t tile_bytes(const CpuFeatures& features, bool outgrows_l3) {
    return std::max(features.l2_bytes, outgrows_l3 ? features.l3_bytes : 0) / 4;
}

// Threads wake one another.
double team_microseconds(const CpuFeatures& features, int threads, bool awake) {
    const double start = machine_costs(features.vendor).team_microseconds * std::log2(threads);
    return awake ? start : start + kWakeMicroseconds;
}

double step_microseconds(const CellConfig& config, const CpuFeatures& features,
                         const StepLoad& load) {
    const ElementType weights = config.weights;
    const auto rows = static_cast<double>(load.rows);
    const double units = gates_of(config.kind) * static_cast<double>(load.units);
    const double w = units * static_cast<double>(config.input_size);
    const double r = units * static_cast<double>(config.hidden_size);
    // W is read once for a tile of steps, R at each of them; both once where there is one step.
    const double row_bytes = static_cast<double>(bytes_of(precision_of(weights))) *
                             gates_of(config.kind) * static_cast<double>(config.hidden_size);
    const auto weight_bytes = static_cast<double>(size_of(weights)) * gates_of(config.kind) *
                              static_cast<double>(config.hidden_size) *
                              static_cast<double>(config.input_size + config.hidden_size);
    const auto room =
        static_cast<double>(tile_bytes(features, outgrows_l3(weight_bytes, features)));
    const double tile =
        std::clamp(room / (rows * row_bytes), 1.0, std::max(1.0, static_cast<double>(load.time)));
    const double turns = load.time == 1 ? load.turns : 1;
    const double set = static_cast<double>(size_of(weights)) * (r + w / tile) * turns;
    const double peak = flops_per_microsecond(features, precision_of(weights));
    const MachineCosts& costs = machine_costs(features.vendor);
    return costs.step_microseconds + costs.activation_flops * units * rows / peak +
           product_microseconds(weights, features, r, 2 * r * rows, set) +
           product_microseconds(weights, features, w / tile, 2 * w * rows, set);
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
