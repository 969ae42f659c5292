// Everything that ONNX's recurrent operators can say, one thing at a time: the rows of
// docs/measurements/conformance.md.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/recurrent_node.hpp"

namespace rondo::test {

struct Feature {
    std::string name;  ///< Markdown
    /// One node an operator that has it.
    std::vector<RecurrentNode> nodes;
    /// The right answer is an error: the input is none that ONNX allows.
    bool must_fail = false;
};

/// In the order of the table, always with the same numbers.
std::vector<Feature> feature_list();

}  // namespace rondo::test
