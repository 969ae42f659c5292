// Compiled models that between them take every way an inference can go, with inputs and answers.
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
/// one whose shapes depend on elements. Each is checked to run as its name says.
std::vector<StressModel> make_stress_models();

}  // namespace rondo::test
