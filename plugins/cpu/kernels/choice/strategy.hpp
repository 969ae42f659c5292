// How the work of a recurrent layer is shared among threads: a pure choice, told with its reason.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/cpu/kernels/cell/cell_config.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

enum class Strategy {
    serial,           ///< one thread does everything
    direction_split,  ///< both directions at once, a thread each
    batch_split,      ///< slices of rows (and directions), each over the whole sequence
    hidden_split,     ///< each step is shared: slices of hidden blocks, weights stay with a core
};

/// All of them.
inline constexpr Strategy kStrategies[] = {Strategy::serial, Strategy::direction_split,
                                           Strategy::batch_split, Strategy::hidden_split};

const char* name_of(Strategy strategy);

/// A layer as it is about to run.
struct LayerShape {
    int directions = 1;
    std::int64_t time = 0;   ///< T
    std::int64_t batch = 0;  ///< N
    int threads = 1;
    bool awake = true;  ///< Team::awake()
};

struct StrategyChoice {
    Strategy strategy = Strategy::serial;
    int slices = 1;      ///< how many pieces run at once; 1 for serial
    std::string reason;  ///< one sentence with the numbers that decided
};

/// Depends on its arguments alone. `config` is that of one direction.
StrategyChoice choose_strategy(const CellConfig& config, const CpuFeatures& features,
                               const LayerShape& shape);

}  // namespace rondo::cpu
