// OpenVINO's ops that become small graphs of other ops when a file is read.
#pragma once

#include <string_view>
#include <vector>

#include "core/ir/composition.hpp"

namespace rondo::ir {

/// Makes the graph of a layer; returns its last node, named as the layer, whose output 0 is the
/// layer's. Throws ModelError and UnsupportedError without the layer's place.
using Compose = NodePtr (*)(ComposedLayer& layer);

/// How an op becomes such a graph; null for other ops. `opset`: as a layer says it, "opset4".
Compose find_composed(std::string_view type, std::string_view opset);

/// All of them, sorted by name, then opset.
std::vector<OpType> composed_op_types();

/// Inputs: x, and the bounds of the input's and the output's range, which broadcast to x. Elements
/// outside of the first range become the bounds of the second; the others the nearest of its
/// `levels`, halves the even one. Throws ModelError for fewer than two levels, UnsupportedError
/// for PDPD's broadcasting.
Output fake_quantize(Composition& by);

/// (x - mean) / sqrt(variance + epsilon) gamma + beta; inputs: x, gamma, beta, mean, variance. All
/// but x have one element for each channel, axis 1.
Output batch_norm(Composition& by);

/// x / sqrt(bias + the sum of squares along axis 1).
Output grn(Composition& by);

/// The channels, axis 1, in groups: each group of a row to mean 0 and variance 1, epsilon being
/// added to the variance; then times scale plus bias, which have an element for each channel.
Output group_normalization(Composition& by);

/// x / (bias + alpha / size^axes * the sum of squares in the window)^beta.
Output lrn(Composition& by);

/// x / sqrt(the sum of squares, to which eps is added or which is eps at least).
Output normalize_l2(Composition& by);

}  // namespace rondo::ir
