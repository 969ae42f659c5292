// Chooses how the work of recurrent layers, one or a stack of them, is split among threads: pure
// functions of config and sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "plugins/cpu/kernels/choice/cost_model.hpp"

namespace rondo::cpu {

enum class Strategy {
    serial,           ///< one thread does everything
    direction_split,  ///< both directions at once, a thread each
    batch_split,      ///< slices of rows (and directions), each over the whole sequence
    hidden_split,     ///< each step is split: slices of hidden blocks, weights stay with a core
};

/// All of them.
inline constexpr Strategy kStrategies[] = {Strategy::serial, Strategy::direction_split,
                                           Strategy::batch_split, Strategy::hidden_split};

const char* to_string(Strategy strategy);

/// The sizes of a call, and the team that runs it.
struct LayerShape {
    int directions = 1;
    std::int64_t time = 0;   ///< T
    std::int64_t batch = 0;  ///< N
    int threads = 1;
    bool awake = true;  ///< whether the team is awake: a sleeping one costs more to start
};

/// A strategy for one shape, with the estimates that decided for it.
struct StrategyChoice {
    Strategy strategy = Strategy::serial;
    int slices = 1;      ///< direction_split, batch_split: tasks; hidden_split: threads
    int row_slices = 1;  ///< batch_split: slices of rows, each for every direction
    double serial_microseconds = 0.0;
    double microseconds = 0.0;
};

/// What `strategy` would cost. Returns nothing if it can't split this shape among the threads.
/// `config` is that of one direction.
std::optional<StrategyChoice> estimate(Strategy strategy, const CellConfig& config,
                                       const CostModel& costs, const LayerShape& shape);

/// The best strategy, by estimate(). Allocates nothing.
StrategyChoice choose_strategy(const CellConfig& config, const CostModel& costs,
                               const LayerShape& shape);

/// One sentence with the numbers that decided.
std::string reason_of(const StrategyChoice& choice, const LayerShape& shape);

enum class StackedStrategy {
    serial,       ///< one thread does everything, layer by layer
    one_by_one,   ///< each layer over the whole sequence, with the strategy that is best for it
    batch_split,  ///< slices of rows, each through all layers
    wavefront,    ///< a layer works on a tile of time while the one above works on the tile before
};

const char* to_string(StackedStrategy strategy);

/// A strategy for one shape, with the estimates that decided for it.
struct StackedChoice {
    StackedStrategy strategy = StackedStrategy::serial;
    int slices = 1;                        ///< batch_split: of rows; wavefront: threads
    std::int64_t tile = 0;                 ///< wavefront: time steps of a tile
    double one_by_one_microseconds = 0.0;  ///< as nodes of their own
    double microseconds = 0.0;
};

/// `layers`: bottom first, of one direction each. `shape.directions` is 1. Depends on its arguments
/// alone, and allocates nothing.
StackedChoice choose_stacked_strategy(std::span<const CellConfig* const> layers,
                                      const CostModel& costs, const LayerShape& shape);

/// One sentence with the numbers that decided.
std::string reason_of(const StackedChoice& choice, const LayerShape& shape);

}  // namespace rondo::cpu
