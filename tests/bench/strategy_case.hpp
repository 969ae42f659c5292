// The recurrent layers that rondo_strategies measures, and the grid they come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/cpu/kernels/cell/cell_config.hpp"

namespace rondo::cpu::bench {

/// I = H.
struct StrategyCase {
    CellKind kind = CellKind::lstm;
    ElementType weights = ElementType::f32;
    std::int64_t hidden = 0;
    int directions = 1;
    std::int64_t batch = 0;
    std::int64_t time = 0;
    int threads = 1;

    /// The same kernels and packed weights.
    bool same_layer(const StrategyCase& other) const {
        return kind == other.kind && weights == other.weights && hidden == other.hidden &&
               directions == other.directions;
    }
};

/// Values of each dimension, by the names that options and JSON use.
struct StrategyGrid {
    std::vector<std::string> kinds = {"lstm", "gru1", "gru0"};  ///< keys of cell_kind_of()
    std::vector<std::string> weights = {"f32"};                 ///< f32, f16 or bf16
    std::vector<std::int64_t> hidden = {32, 64, 128, 256, 512, 1024};
    std::vector<int> directions = {1, 2};
    std::vector<std::int64_t> batch = {1, 4, 16, 64};
    std::vector<std::int64_t> time = {1, 100};
    std::vector<int> threads;
};

/// "lstm", "gru1" and "gru0" (linear_before_reset 1 and 0), "rnn".
CellKind cell_kind_of(const std::string& name);
const char* short_name_of(CellKind kind);

/// Every combination; those that share a layer are neighbours.
std::vector<StrategyCase> cases_of(const StrategyGrid& grid);

}  // namespace rondo::cpu::bench
