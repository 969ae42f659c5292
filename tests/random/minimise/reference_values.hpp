// The values within a model, as REFERENCE computes them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/random/minimise/candidate.hpp"

namespace rondo::test {

/// What each node of the model's graph makes in each run, by the value's name, without those that
/// can't be an output, such as sequences. Where a node fails, what depends on it is missing.
std::map<std::string, std::vector<Tensor>> reference_values(const Candidate& candidate);

}  // namespace rondo::test
