// Keeps W and R of LSTMs as integers with scales, where a file has them so.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::cpu {

/// Looks for W and R that are Convert(constant of i8 or u8), less a constant zero point or not,
/// times a constant scale; both one number, or one for each direction or row. An LSTM sequence of
/// f32 whose W and R are such, and whose B and P are constants, gets ScaledWeights: q - zero_point
/// as f16. Other layers get the product as a constant. Returns true if
/// the graph changed.
bool hold_integer_weights(Graph& graph);

}  // namespace rondo::cpu
