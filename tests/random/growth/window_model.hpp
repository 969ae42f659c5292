// Random models with windows that may be larger than the padded data.
#pragma once

#include <cstdint>

#include "tests/random/random_model.hpp"

namespace rondo::test {

/// One operator of the window family on [N,C,T] or [N,C,T,3], and what reads its output:
/// reductions, softmax, layers, products, joins and further windows, all of which run where there
/// is no window. In two of three models T is open, and the runs have windows and none; else T is
/// known.
RandomModel window_model(std::uint64_t seed);

}  // namespace rondo::test
