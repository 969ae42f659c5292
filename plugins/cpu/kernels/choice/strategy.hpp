// How the work of a recurrent layer is split among threads: pure functions of config and sizes.
#pragma once

#include <cstdint>
#include <optional>
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

/// A strategy for one shape, with the estimates behind it.
struct StrategyChoice {
    Strategy strategy = Strategy::serial;
    int slices = 1;      ///< direction_split, batch_split: tasks; hidden_split: threads
    int row_slices = 1;  ///< batch_split: slices of rows, each for every direction
    double serial_microseconds = 0.0;
    double microseconds = 0.0;
};

/// What `strategy` would cost; nothing where it can't split this shape among the threads. `config`
/// is that of one direction.
std::optional<StrategyChoice> estimate(Strategy strategy, const CellConfig& config,
                                       const CostModel& costs, const LayerShape& shape);

/// The best strategy, by estimate(). Allocates nothing.
StrategyChoice choose_strategy(const CellConfig& config, const CostModel& costs,
                               const LayerShape& shape);

/// One sentence with the numbers that decided.
std::string reason_of(const StrategyChoice& choice, const LayerShape& shape);

}  // namespace rondo::cpu
