#include "plugins/cpu/kernels/choice/strategy.hpp"

#include <algorithm>
#include <cmath>
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

namespace {

// Measured by hand with the benchmarks `stacked/` of rondo_bench; nothing fits them. Everything
// else is the cost model's.
constexpr double kWaveMicroseconds = 7.0;  // until all layers run and after the first has ended
constexpr double kOneRowTax = 1.1;         // short wavefronts of one row don't look ahead
constexpr double kTileMicroseconds = 0.5;  // handing a tile to the layer above
constexpr double kL2BytesPerMicrosecond = 60e3;  // W, read once a tile where R drives it out
constexpr double kL2ForWeights = 0.7;            // of the L2, for W and R of a layer
constexpr double kWorthSharing = 0.85;           // of the time on one thread
constexpr double kWorthWavefront = 0.97;         // of what needs no wavefront
constexpr std::int64_t kFewestTileRows = 4;      // below, products of tiles wait for W

class StackedEstimator {
public:
    StackedEstimator(std::span<const CellConfig* const> layers, const CostModel& costs,
                     const LayerShape& shape)
        : layers_(layers), costs_(costs), shape_(shape) {
        for (const CellConfig* layer : layers) {
            const StrategyChoice alone = choose_strategy(*layer, costs, shape);
            serial_microseconds_ += alone.serial_microseconds;
            choice_.one_by_one_microseconds += alone.microseconds;
            if (alone.strategy != Strategy::serial) choice_.strategy = StackedStrategy::one_by_one;
        }
        choice_.microseconds = choice_.one_by_one_microseconds;
    }

    void try_batch_split() {
        const auto slices = static_cast<int>(std::min<std::int64_t>(shape_.threads, shape_.batch));
        if (slices < 2) return;
        const std::int64_t rows = divide_up(shape_.batch, slices);
        consider({StackedStrategy::batch_split, slices, 0, 0, sum(rows) + start_microseconds()});
    }

    // The slowest layer, or each thread's part of the work; then the rest of the layers for one
    // tile, before all of them are at work.
    void try_wavefront() {
        const int workers = std::min(shape_.threads, static_cast<int>(layers_.size()));
        const double total = sum(shape_.batch);
        double slowest = total / workers;
        for (const CellConfig* layer : layers_) {
            slowest = std::max(slowest, sequence(*layer, shape_.batch));
        }
        const double cost = tile_microseconds();
        const std::int64_t tile = tile_for(total - slowest, cost);
        const auto tiles = static_cast<double>(divide_up(shape_.time, tile));
        const double part = static_cast<double>(tile) / static_cast<double>(shape_.time);
        const double tax = shape_.batch == 1 ? kOneRowTax : 1.0;
        const double time =
            tax * (slowest + (total - slowest) * part) + tiles * cost + kWaveMicroseconds;
        if (time >= kWorthWavefront * choice_.microseconds) return;
        consider({StackedStrategy::wavefront, workers, tile, 0, time + start_microseconds()});
    }

    StackedChoice choice() const { return choice_; }

private:
    double start_microseconds() const { return costs_.team(shape_.threads, shape_.awake); }

    double sequence(const CellConfig& layer, std::int64_t rows) const {
        return costs_.sequence(layer, {rows, shape_.time, layer.hidden_size, 1});
    }

    double sum(std::int64_t rows) const {
        double total = 0;
        for (const CellConfig* layer : layers_) total += sequence(*layer, rows);
        return total;
    }

    // What a tile costs besides its steps, in the layer where that is most.
    double tile_microseconds() const {
        double most = 0;
        for (const CellConfig* layer : layers_) {
            const auto units = static_cast<double>(gates_of(*layer) * layer->hidden_size);
            const double bytes = units * static_cast<double>(layer->weights.bytes());
            const double w = bytes * static_cast<double>(layer->input_size);
            const double r = bytes * static_cast<double>(layer->hidden_size);
            const bool fits =
                w + r <= kL2ForWeights * static_cast<double>(costs_.features().l2_bytes);
            most = std::max(most, fits ? 0.0 : w / kL2BytesPerMicrosecond);
        }
        return kTileMicroseconds + most;
    }

    // More tiles start the layers above sooner, and cost something each: fill / n + n * cost is
    // least where n^2 = fill / cost.
    std::int64_t tile_for(double fill, double cost) const {
        const auto tiles = std::max<std::int64_t>(1, std::llround(std::sqrt(fill / cost)));
        const std::int64_t fewest = divide_up(kFewestTileRows, shape_.batch);
        return std::min(shape_.time, std::max(divide_up(shape_.time, tiles), fewest));
    }

    void consider(StackedChoice choice) {
        choice.one_by_one_microseconds = choice_.one_by_one_microseconds;
        if (choice.microseconds >= choice_.microseconds) return;
        if (choice.microseconds >= kWorthSharing * serial_microseconds_) return;
        choice_ = choice;
    }

    std::span<const CellConfig* const> layers_;
    const CostModel& costs_;
    const LayerShape& shape_;
    double serial_microseconds_ = 0.0;
    StackedChoice choice_;
};

}  // namespace

const char* to_string(StackedStrategy strategy) {
    switch (strategy) {
        case StackedStrategy::serial: return "serial";
        case StackedStrategy::one_by_one: return "one_by_one";
        case StackedStrategy::batch_split: return "batch_split";
        case StackedStrategy::wavefront: return "wavefront";
    }
    return "?";
}

StackedChoice choose_stacked_strategy(std::span<const CellConfig* const> layers,
                                      const CostModel& costs, const LayerShape& shape) {
    StackedEstimator estimator(layers, costs, shape);
    if (shape.threads > 1 && shape.batch > 0 && shape.time > 0) {
        estimator.try_batch_split();
        if (shape.time > 1) estimator.try_wavefront();
    }
    return estimator.choice();
}

std::string reason_of(const StackedChoice& choice, const LayerShape& shape) {
    char text[160];
    if (shape.threads <= 1) {
        std::snprintf(text, sizeof(text), "one thread");
    } else if (choice.strategy == StackedStrategy::serial) {
        std::snprintf(text, sizeof(text), "about %.1f us on one thread: no split would pay",
                      choice.microseconds);
    } else if (choice.strategy == StackedStrategy::one_by_one) {
        std::snprintf(text, sizeof(text), "about %.1f us: a wavefront would not pay",
                      choice.microseconds);
    } else if (choice.strategy == StackedStrategy::wavefront) {
        std::snprintf(text, sizeof(text),
                      "about %.1f us in tiles of %lld steps instead of %.1f us layer by layer",
                      choice.microseconds, static_cast<long long>(choice.tile),
                      choice.one_by_one_microseconds);
    } else {
        std::snprintf(text, sizeof(text),
                      "about %.1f us in %d slices instead of %.1f us layer by layer",
                      choice.microseconds, choice.slices, choice.one_by_one_microseconds);
    }
    return text;
}

}  // namespace rondo::cpu
