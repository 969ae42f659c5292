// Makes cell ops of recurrent steps that stand alone.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// The arithmetic of one LSTM, GRU or RNN step, whose states come from outside, becomes an
/// LSTMCell, GRUCell or RNNCell, as OpenVINO's LSTMCellFusion and GRUCellFusion do it. What makes
/// an RNN cell of a sum of two products is that its H comes from an input or a variable of the
/// model, and goes to an output or a variable.
bool cell_fusion(Graph& graph);

}  // namespace rondo::passes
