// Compiled models that together cover every kind of inference, with inputs and expected outputs.
#pragma once

#include <string>
#include <vector>

#include "rondo/core.hpp"

namespace rondo::test {

/// The inputs of one inference, and the outputs' bits that one thread gives.
struct Answer {
    std::vector<Tensor> inputs;
    std::vector<Tensor> outputs;
};

struct StressModel {
    std::string name;
    CompiledModel compiled;  ///< two streams of two threads each
    std::vector<Answer> answers;
};

/// A model a strategy, one with more shapes than plans are kept for, one without recurrent layers,
/// one whose shapes depend on elements. A check ensures that each runs as its name says.
std::vector<StressModel> make_stress_models();

}  // namespace rondo::test
