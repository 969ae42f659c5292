// How the work of stacked recurrent layers is split among threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "plugins/cpu/kernels/choice/strategy.hpp"

namespace rondo::cpu {

enum class StackedStrategy {
    serial,       ///< one thread does everything, layer by layer
    one_by_one,   ///< each layer over the whole sequence, with the strategy that is best for it
    batch_split,  ///< slices of rows, each through all layers
    wavefront,    ///< a layer works on a tile of time while the one above works on the tile before
};

const char* to_string(StackedStrategy strategy);

/// A strategy for one shape, with the estimates behind it.
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
