// Random whole ONNX models: 5 to 40 nodes of every family, with open N and T. Every other one has
// an If, a Loop or a Scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rondo/tensor.hpp"
#include "tests/random/extent.hpp"

namespace rondo::test {

/// An input by name.
struct NamedTensor {
    std::string name;
    Tensor value;
};

/// Nodes of a model and its bodies.
inline constexpr std::size_t kLeastNodes = 5, kMostNodes = 40, kMostShapeNodes = 80;

/// A model, and the sizes of its runs: three of which at least two differ in every open extent. N,
/// T or both are 0 in the second run of a quarter of the models.
struct RandomModel {
    std::string bytes;  ///< of the ONNX message
    std::vector<Sizes> runs;
    std::vector<std::vector<NamedTensor>> inputs;  ///< of each run
    std::vector<std::string> outputs;
};

/// Depends on the seed alone. Those of odd seeds have bodies; every other pair has a newer opset.
/// Four of 16 seeds have empty runs.
RandomModel random_model(std::uint64_t seed);

/// The same of models that compute shapes from shapes, by spelled_vector(), and fill, expand,
/// reshape, tile, mask, cut and start layers with them. They have up to kMostShapeNodes nodes.
RandomModel random_shape_model(std::uint64_t seed);

/// The same of models that have some recurrent layers, most of constant weights.
RandomModel random_layer_model(std::uint64_t seed);

}  // namespace rondo::test
