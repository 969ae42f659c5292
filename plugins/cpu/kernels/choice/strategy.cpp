#include "plugins/cpu/kernels/choice/strategy.hpp"

#include <algorithm>
#include <cstdio>

#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {
namespace {

// What a split has to promise, of the time on one thread: it can't count on having every core.
constexpr double kWorthSplitting = 0.93;
constexpr double kWorthMeeting = 0.9;  // for threads that meet at every step

double worth(Strategy strategy) {
    return strategy == Strategy::hidden_split ? kWorthMeeting : kWorthSplitting;
}

double serial_microseconds(const CellConfig& config, const CostModel& costs,
                           const LayerShape& shape) {
    return shape.directions *
           costs.sequence(config, {shape.batch, shape.time, config.hidden_size, shape.directions});
}

// Tasks that are independent: `row_slices` slices of rows for each direction.
void estimate_tasks(const CellConfig& config, const CostModel& costs, const LayerShape& shape,
                    StrategyChoice& choice) {
    const auto waves = static_cast<double>(divide_up(choice.slices, shape.threads));
    const std::int64_t rows = divide_up(shape.batch, choice.row_slices);
    choice.microseconds =
        waves * costs.sequence(config, {rows, shape.time, config.hidden_size, 1}) +
        costs.team(std::min(choice.slices, shape.threads), shape.awake);
}

void estimate_hidden_split(const CellConfig& config, const CostModel& costs,
                           const LayerShape& shape, StrategyChoice& choice) {
    const std::int64_t lanes = lanes_of(costs.features().best(), config.weights.precision());
    const std::int64_t blocks = divide_up(config.hidden_size, lanes);
    choice.slices = static_cast<int>(std::min<std::int64_t>(shape.threads, blocks / 2));
    if (choice.slices < 2) return;
    const std::int64_t units =
        std::min(config.hidden_size, divide_up(blocks, choice.slices) * lanes);
    const double time = costs.sequence(config, {shape.batch, shape.time, units, shape.directions}) +
                        costs.meeting(config, shape.batch, choice.slices) * phases_of(config.kind) *
                            static_cast<double>(shape.time);
    choice.microseconds = shape.directions * time + costs.team(choice.slices, shape.awake);
}

// Slices stay below 2 where the shape can't be split.
void estimate_split(const CellConfig& config, const CostModel& costs, const LayerShape& shape,
                    StrategyChoice& choice) {
    if (choice.strategy == Strategy::hidden_split) {
        return estimate_hidden_split(config, costs, shape, choice);
    }
    if (choice.strategy == Strategy::batch_split) {
        const std::int64_t wanted = divide_up(shape.threads, shape.directions);
        choice.row_slices = static_cast<int>(std::min(wanted, shape.batch));
        if (choice.row_slices < 2) return;
    } else if (shape.directions < 2) {
        return;
    }
    choice.slices = choice.row_slices * shape.directions;
    estimate_tasks(config, costs, shape, choice);
}

}  // namespace

const char* to_string(Strategy strategy) {
    switch (strategy) {
        case Strategy::serial: return "serial";
        case Strategy::direction_split: return "direction_split";
        case Strategy::batch_split: return "batch_split";
        case Strategy::hidden_split: return "hidden_split";
    }
    return "?";
}

std::optional<StrategyChoice> estimate(Strategy strategy, const CellConfig& config,
                                       const CostModel& costs, const LayerShape& shape) {
    StrategyChoice choice;
    choice.strategy = strategy;
    choice.serial_microseconds = serial_microseconds(config, costs, shape);
    choice.microseconds = choice.serial_microseconds;
    if (strategy == Strategy::serial) return choice;
    if (shape.threads <= 1 || shape.batch <= 0) return std::nullopt;
    estimate_split(config, costs, shape, choice);
    if (choice.slices < 2) return std::nullopt;
    return choice;
}

StrategyChoice choose_strategy(const CellConfig& config, const CostModel& costs,
                               const LayerShape& shape) {
    StrategyChoice best = *estimate(Strategy::serial, config, costs, shape);
    for (const Strategy strategy : kStrategies) {
        const auto choice = estimate(strategy, config, costs, shape);
        if (!choice || choice->microseconds >= best.microseconds) continue;
        if (choice->microseconds < worth(strategy) * choice->serial_microseconds) best = *choice;
    }
    return best;
}

std::string reason_of(const StrategyChoice& choice, const LayerShape& shape) {
    char text[160];
    if (shape.threads <= 1) {
        std::snprintf(text, sizeof(text), "one thread");
    } else if (choice.strategy == Strategy::serial) {
        std::snprintf(text, sizeof(text), "about %.1f us on one thread: no split would pay",
                      choice.serial_microseconds);
    } else {
        std::snprintf(text, sizeof(text), "about %.1f us in %d slices instead of %.1f us serial",
                      choice.microseconds, choice.slices, choice.serial_microseconds);
    }
    return text;
}

}  // namespace rondo::cpu
