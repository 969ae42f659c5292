// Recurrent nodes drawn at random over everything that ONNX can say, and a filler of their tensors.
#pragma once

#include <cstdint>

#include "tests/conformance/recurrent_node.hpp"
#include "tests/support/rng.hpp"

namespace rondo::test {

/// Gives the inputs that are not omitted random values: X and the states in [-1, 1), the weights so
/// that sums stay near 1, the lengths 1 to T. Values that are there already are kept.
void fill(RecurrentNode& node, Rng& rng);

/// The same node for the same seed, on every machine. It has an answer in every type: a node whose
/// states grow past 8 gets smaller weights, and one with a ThresholdedRelu whose input comes within
/// 1e-4 of the jump another alpha.
RecurrentNode random_node(std::uint64_t seed);

}  // namespace rondo::test
