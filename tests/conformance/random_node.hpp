// Random recurrent nodes with every attribute that ONNX has, and random values for their tensors.
#pragma once

#include <cstdint>

#include "tests/conformance/recurrent_node.hpp"
#include "tests/support/rng.hpp"

namespace rondo::test {

/// Gives the inputs that are not omitted random values: X and the states in [-1, 1), the weights so
/// that sums stay near 1, the lengths 1 to T. Existing values are kept.
void fill(RecurrentNode& node, Rng& rng);

/// The same node for the same seed, on every machine. Its outputs are defined in every type: a node
/// whose states exceed 8 gets smaller weights, and one with a ThresholdedRelu whose input comes
/// within 1e-4 of the jump gets another alpha.
RecurrentNode random_node(std::uint64_t seed);

}  // namespace rondo::test
