// Runs a random model that has variables several times in a row.
#pragma once

#include <string>

#include "rondo/model.hpp"
#include "tests/random/random_model.hpp"

namespace rondo::test {

/// The first difference between CPU and REFERENCE in three inferences in a row with the inputs of
/// `random`'s first run, or between the bits of those and of what CPU gives after a reset; empty
/// if there is none. `model` has the outputs of `random` first.
std::string state_difference(const RandomModel& random, const Model& model);

}  // namespace rondo::test
