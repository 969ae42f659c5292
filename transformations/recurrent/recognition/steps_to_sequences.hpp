// Turns recurrent cells that are written out step by step into sequence ops.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// Chains of four or more equal LSTM, GRU or RNN cells, however they are written, each of which
/// reads one part of a tensor and the states of the one before.
bool steps_to_sequences(Graph& graph);

/// Steps that didn't become a sequence.
struct StayingSteps {
    std::vector<std::string> nodes;  ///< names, without those that need the last step
    std::string why;
};

/// For each tensor of which every step is taken by its own, what keeps those steps from being a
/// sequence. The graph stays as it is.
std::vector<StayingSteps> why_steps_stay(Graph& graph);

}  // namespace rondo::passes
