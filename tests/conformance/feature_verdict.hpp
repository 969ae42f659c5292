// Rondo's result for a feature: the word in its column of docs/measurements/conformance.md.
#pragma once

#include <string>

#include "tests/conformance/feature_list.hpp"

namespace rondo::test {

/// "yes"; or "refused" or "WRONG" if no node of the feature is right, or if some are:
/// "LSTM: yes, GRU: refused". Both devices have to be right.
std::string rondo_verdict(const Feature& feature);

}  // namespace rondo::test
