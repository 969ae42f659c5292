// Reads a recurrent op in a loop's body as a cell.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "transformations/recurrent/loop_cell.hpp"

namespace rondo::passes {

/// The cell whose states these ones of the loop are, where an LSTMCell, GRUCell, RNNCell or a
/// sequence of one step computes them. As read_loop_cell() otherwise.
std::optional<LoopCell> read_layer_cell(const LoopRun& run, std::span<const LoopState> loop_states,
                                        const std::vector<std::size_t>& states,
                                        std::span<const LoopCell> before);

}  // namespace rondo::passes
