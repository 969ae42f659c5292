// Random models with a loop of many iterations whose lists grow by a Concat in each.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/random/random_model.hpp"

namespace rondo::test {

/// One to three lists of floats or integers grow along any axis, at either end, in each iteration
/// or on a condition, by parts whose extents may depend on data. The body reads them in most ways
/// that a model does, also in branches and inner loops. Every fourth model decodes greedily: the
/// body chooses a token and appends it unless it is blank. A run each for the numbers of
/// iterations.
RandomModel growing_model(std::uint64_t seed, const std::vector<std::int64_t>& iterations);

}  // namespace rondo::test
