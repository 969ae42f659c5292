// Makes an ONNX model of one recurrent node.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/recurrent_node.hpp"

namespace rondo::test {

/// The bytes of the model's file.
std::string model_of(const RecurrentNode& node);

/// An input of that model.
struct ModelInput {
    std::string name;
    Tensor value;
};

/// In the model's order.
std::vector<ModelInput> model_inputs(const RecurrentNode& node);

/// The names of the outputs that the node has, in order.
std::vector<std::string> model_outputs(const RecurrentNode& node);

}  // namespace rondo::test
