// OpenVINO's normalising ops as the formulas that they stand for.
#pragma once

#include "core/ir/composition.hpp"

namespace rondo::ir {

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
