// Random whole ONNX models: 5 to 30 nodes of every family, with open N and T. Every other one has
// an If, a Loop or a Scan.
#pragma once

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

/// A model, and the sizes of its runs: three of which at least two differ in every open extent.
struct RandomModel {
    std::string bytes;  ///< of the ONNX message
    std::vector<Sizes> runs;
    std::vector<std::vector<NamedTensor>> inputs;  ///< of each run
    std::vector<std::string> outputs;
};

/// Depends on the seed alone. Those of odd seeds have bodies; every other pair has a newer opset.
RandomModel random_model(std::uint64_t seed);

}  // namespace rondo::test
