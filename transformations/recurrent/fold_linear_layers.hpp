// Folds the linear layer in front of a recurrent sequence into the sequence's W and B.
#pragma once

#include "core/graph/graph.hpp"

namespace rondo::passes {

/// X = x A + b becomes X = x, W A^T as W and B + W b as B: a product less for each step. Factors
/// and numbers of each feature alone, as a batch normalisation has them, are taken in likewise,
/// also through Transposes. Only of f32 constants, where nothing else reads the layer, and where A
/// makes no fewer features than it reads, so that the new product isn't larger than the old one.
/// The new weights are computed in double and rounded once; sums are added in another order. What
/// adds more than 256 to a sum stays, since its rounding would show: unscaled offsets.
bool fold_linear_layers(Graph& graph);

}  // namespace rondo::passes
